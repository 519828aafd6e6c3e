// Tags are asked for when some run has others, and stay the same objects where nothing changed.
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { Board } from './board.svelte'
import { FakeServer } from './fake-server'
import { Tags } from './tags.svelte'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

async function open(server: FakeServer): Promise<Tags> {
  const board = new Board(server.client)
  const tags = new Tags(server.client, board)
  board.resume()
  tags.load()
  await vi.advanceTimersByTimeAsync(0)
  await server.hello()
  await vi.advanceTimersByTimeAsync(2_000)
  return tags
}

test('tags are in natural order, with how many runs have each', async () => {
  const server = new FakeServer()
  server.add('a', { 'layer10/w': 1, 'layer2/w': 1 })
  server.add('b', { 'layer2/w': 1 })
  const tags = await open(server)
  expect(tags.all.map(({ tag, runs }) => [tag, runs])).toEqual([
    ['layer2/w', 2],
    ['layer10/w', 1],
  ])
  expect(tags.isLoading).toBe(false)
})

test('growing runs cost no question for tags, other tags one', async () => {
  const server = new FakeServer()
  server.add('a', { loss: 1 })
  const tags = await open(server)
  const [loss] = tags.all
  const before = server.count('tags')
  server.log('a', 'loss', 1)
  await server.changed(['a'])
  await vi.advanceTimersByTimeAsync(5_000)
  expect(server.count('tags')).toBe(before)
  server.log('a', 'acc', 1)
  await server.changed(['a'], { tags: ['a'] })
  await vi.advanceTimersByTimeAsync(5_000)
  expect(server.count('tags')).toBe(before + 1)
  expect(tags.all.map(({ tag }) => tag)).toEqual(['acc', 'loss'])
  expect(tags.all[1]).toBe(loss)
})

test('an answer with nothing new changes nothing', async () => {
  const server = new FakeServer()
  server.add('a', { loss: 1 })
  const tags = await open(server)
  const before = tags.all
  server.change++
  await server.changed([], { all: true })
  await vi.advanceTimersByTimeAsync(5_000)
  expect(server.count('tags')).toBe(2)
  expect(tags.all).toBe(before)
})
