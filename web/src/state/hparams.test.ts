// Hyper-parameters come with their runs, and those that distinguish runs come first.
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { Board } from './board.svelte'
import { FakeServer } from './fake-server'
import { HParams } from './hparams.svelte'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

async function open(server: FakeServer): Promise<HParams> {
  const board = new Board(server.client)
  const hparams = new HParams(server.client, board)
  board.resume()
  hparams.load()
  await vi.advanceTimersByTimeAsync(0)
  await server.hello()
  await vi.advanceTimersByTimeAsync(2_000)
  return hparams
}

test('names that vary come first, each part in natural order', async () => {
  const server = new FakeServer()
  server.hparams.set('a', { lr: 0.1, layer10: 1, layer2: 1, amsgrad: false })
  server.hparams.set('b', { lr: 0.2, layer10: 1, layer2: 1, amsgrad: true, note: 'x' })
  const hparams = await open(server)
  expect(hparams.names).toEqual(['amsgrad', 'lr', 'layer2', 'layer10', 'note'])
  expect([...hparams.of('b')]).toEqual([
    ['lr', 0.2],
    ['layer10', 1],
    ['layer2', 1],
    ['amsgrad', true],
    ['note', 'x'],
  ])
  expect([hparams.of('c').size, hparams.status.get('a')]).toEqual([0, 'success'])
})

test('new ones come with new tags, and nothing changes when nothing did', async () => {
  const server = new FakeServer()
  server.hparams.set('a', { lr: 0.1 })
  const hparams = await open(server)
  const before = hparams.of('a')
  server.change++
  await server.changed(['a'], { tags: ['a'] })
  await vi.advanceTimersByTimeAsync(2_000)
  expect(server.count('hparams')).toBe(2)
  expect(hparams.of('a')).toBe(before)
  server.hparams.set('b', { lr: 0.2 })
  server.change++
  await server.changed(['b'], { tags: ['b'] })
  await vi.advanceTimersByTimeAsync(2_000)
  expect([...hparams.byRun.keys()]).toEqual(['a', 'b'])
})
