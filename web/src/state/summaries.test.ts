// Tables of values are requested as long as they are needed, and then only what changed.
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { Board } from './board.svelte'
import { FakeServer } from './fake-server'
import { Summaries } from './summaries.svelte'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

async function open(): Promise<{ server: FakeServer; summaries: Summaries; bodies: unknown[] }> {
  const server = new FakeServer()
  for (const run of ['a', 'b']) server.add(run, { loss: 3, acc: 3 })
  const bodies: unknown[] = []
  server.instead.set('scalars/summary', (body) => {
    bodies.push(JSON.parse(body))
    return Promise.resolve(undefined)
  })
  const board = new Board(server.client)
  const summaries = new Summaries(server.client, board)
  board.resume()
  await vi.advanceTimersByTimeAsync(0)
  await server.hello()
  return { server, summaries, bodies }
}

test('all that is wanted at the same time is one question', async () => {
  const { summaries, bodies } = await open()
  summaries.want(['loss'])
  summaries.want(['acc', 'loss'])
  await vi.advanceTimersByTimeAsync(2_000)
  expect(bodies).toEqual([{ tags: ['loss', 'acc'], runs: null }])
  expect(summaries.of('loss').get('a')).toMatchObject({
    count: 3,
    lastStep: 2,
    last: 1,
    min: 0,
    minStep: 0,
    max: 1,
    maxStep: 2,
    firstNan: null,
  })
  expect(summaries.of('unknown').size).toBe(0)
})

test('what changed is asked for, and other tables stay the same', async () => {
  const { server, summaries, bodies } = await open()
  summaries.want(['loss', 'acc'])
  await vi.advanceTimersByTimeAsync(2_000)
  const { change } = server
  const acc = summaries.of('acc')
  const quiet = summaries.of('loss').get('b')
  server.log('a', 'loss', 2)
  await server.changed(['a'])
  await vi.advanceTimersByTimeAsync(2_000)
  expect(bodies[1]).toEqual({ tags: ['loss', 'acc'], runs: null, instance: 'i', since: change })
  expect(summaries.of('loss').get('a')?.count).toBe(5)
  expect(summaries.of('loss').get('b')).toBe(quiet)
  expect(summaries.of('acc')).toBe(acc)
})

test('what is no longer needed is not requested, until it is needed again', async () => {
  const { server, summaries, bodies } = await open()
  const stop = summaries.want(['loss'])
  const other = summaries.want(['loss'])
  await vi.advanceTimersByTimeAsync(2_000)
  stop()
  stop()
  server.log('a', 'loss', 1)
  await server.changed(['a'])
  await vi.advanceTimersByTimeAsync(2_000)
  expect(bodies).toHaveLength(2)
  other()
  server.log('a', 'loss', 1)
  await server.changed(['a'])
  await vi.advanceTimersByTimeAsync(2_000)
  expect(bodies).toHaveLength(2)
  summaries.want(['loss'])
  await vi.advanceTimersByTimeAsync(2_000)
  expect(summaries.of('loss').get('a')?.count).toBe(5)
})

test('another server answers for everything, and what was there stays until then', async () => {
  const { server, summaries, bodies } = await open()
  summaries.want(['loss'])
  await vi.advanceTimersByTimeAsync(2_000)
  server.remove('b')
  server.restart('j')
  let release = (): void => undefined
  const answered = new Promise<void>((resolve) => {
    release = resolve
  })
  server.instead.set('scalars/summary', async (body) => {
    bodies.push(JSON.parse(body))
    await answered
    return undefined
  })
  await server.send('reset', { instance: 'j' })
  await server.hello()
  await vi.advanceTimersByTimeAsync(2_000)
  expect(summaries.of('loss').size).toBe(2)
  release()
  await vi.advanceTimersByTimeAsync(2_000)
  expect(bodies.at(-1)).toEqual({ tags: ['loss'], runs: null })
  expect([...summaries.of('loss').keys()]).toEqual(['a'])
})

test('a run that went is in no table', async () => {
  const { server, summaries } = await open()
  summaries.want(['loss'])
  await vi.advanceTimersByTimeAsync(2_000)
  server.remove('a')
  await server.changed([], { removed: ['a'] })
  expect([...summaries.of('loss').keys()]).toEqual(['b'])
})
