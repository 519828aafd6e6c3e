// What the page knows follows the events, with as few questions as will do.
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { client, type Ask } from '../api/client'
import type { Changed } from '../api/live'
import { Board } from './board.svelte'
import { FakeServer } from './fake-server'

const PROGRESS = { bytes_done: 0, bytes_known: 10, files_done: 0, files_known: 1, loading: true }

async function open(server: FakeServer): Promise<{ board: Board; received: (Changed | string)[] }> {
  const board = new Board(server.client)
  const received: (Changed | string)[] = []
  board.listen({
    changed: (changed) => {
      received.push(changed)
    },
    reset: () => {
      received.push('reset')
    },
    curation: (revision) => {
      received.push(`curation ${revision}`)
    },
  })
  board.resume()
  await vi.advanceTimersByTimeAsync(0)
  await server.hello()
  return { board, received }
}

function serving(...runs: string[]): FakeServer {
  const server = new FakeServer()
  for (const run of runs) server.add(run)
  return server
}

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

test('a board that is opened shows its status without waiting for the stream', async () => {
  const server = serving('a')
  const board = new Board(server.client)
  board.resume()
  await vi.advanceTimersByTimeAsync(0)
  expect(board.status?.title).toBe('Kymograph')
  await server.hello()
  await vi.advanceTimersByTimeAsync(1_000)
  expect([board.connection, server.count('status')]).toEqual(['live', 1])
})

test('a greeting means that anything up to its number may be new', async () => {
  const { received } = await open(serving('a'))
  expect(received).toEqual([{ change: 2, runs: [], tags: [], removed: [], all: true }])
})

test('changes and edits of other people are reported as they arrive, until the last listener leaves', async () => {
  const server = serving('a')
  const { board, received } = await open(server)
  const others: number[] = []
  const stop = board.listen({
    changed: ({ change }) => {
      others.push(change)
    },
  })
  await server.changed(['a'], { tags: ['a'] })
  await server.send('curation', { revision: '7' })
  stop()
  await server.changed(['a'])
  expect(received.slice(1)).toEqual([
    { kind: 'change', change: 2, runs: ['a'], tags: ['a'], removed: [], all: false },
    'curation 7',
    { kind: 'change', change: 2, runs: ['a'], tags: [], removed: [], all: false },
  ])
  expect(others).toEqual([2])
})

test('another server is reported once, and its status is requested', async () => {
  const server = serving('a')
  const { board, received } = await open(server)
  server.restart('j')
  await server.send('reset', { instance: 'j' })
  await server.hello()
  await vi.advanceTimersByTimeAsync(1_000)
  expect(received.filter((one) => one === 'reset')).toHaveLength(1)
  expect(board.status?.instance).toBe('j')
})

test('that a login is wanted is said once', async () => {
  const ask: Ask = () => Promise.resolve(Response.json({ error: 'this board requires a token' }, { status: 401 }))
  const board = new Board(client('http://x/', ask))
  board.resume()
  await vi.advanceTimersByTimeAsync(100)
  expect([board.connection, board.trouble]).toEqual(['denied', null])
  board.pause()
})

test('progress is shown without a question, its end with one', async () => {
  const server = serving('a')
  server.status.progress = PROGRESS
  const { board } = await open(server)
  await vi.advanceTimersByTimeAsync(1_000)
  const before = server.asked.length
  await server.send('progress', { ...PROGRESS, bytes_done: 5 })
  expect(board.status?.progress.bytes_done).toBe(5)
  expect(server.asked.length).toBe(before)
  server.status.damage = { files: 1, bad_records: 0, bad_headers: 0, skipped_bytes: 0, unreadable: 0 }
  server.status.progress = { ...PROGRESS, loading: false }
  await server.send('progress', { ...PROGRESS, loading: false })
  expect(board.status?.damage.files).toBe(1)
  const after = server.asked.length
  await server.send('progress', { ...PROGRESS, loading: false })
  await vi.advanceTimersByTimeAsync(1_000)
  expect(server.asked.length).toBe(after)
})

test('however fast the runs change, the status is asked for now and then', async () => {
  const server = serving('a')
  await open(server)
  const before = server.count('status')
  for (let n = 0; n < 100; n++) {
    server.change++
    await server.changed(['a'])
    await vi.advanceTimersByTimeAsync(100)
  }
  expect(server.count('status') - before).toBeGreaterThanOrEqual(1)
  expect(server.count('status') - before).toBeLessThanOrEqual(3)
})

test('while there are no runs, it is asked whether the directory exists by now', async () => {
  const server = serving()
  server.status.logdir = [{ name: null, path: 'runs', exists: false }]
  const { board } = await open(server)
  expect(board.status?.logdir[0]?.exists).toBe(false)
  server.status.logdir = [{ name: null, path: 'runs', exists: true }]
  await vi.advanceTimersByTimeAsync(4_000)
  expect(board.status?.logdir[0]?.exists).toBe(true)
  board.pause()
  const before = server.asked.length
  await vi.advanceTimersByTimeAsync(60_000)
  expect(server.asked.length).toBe(before)
})

test('a paused board receives nothing until it is resumed, even if the page is left and shown again', async () => {
  const server = serving('a')
  const { board, received } = await open(server)
  board.setPaused(true)
  board.pause()
  board.resume()
  await vi.advanceTimersByTimeAsync(60_000)
  const streams = server.count('live')
  expect([board.isPaused, received.length]).toEqual([true, 1])
  board.setPaused(false)
  await vi.advanceTimersByTimeAsync(0)
  await server.changed(['a'])
  expect(server.count('live')).toBe(streams + 1)
  expect(received).toHaveLength(2)
})

test('an invalid response is reported, and what was there stays', async () => {
  const server = serving('a')
  const { board } = await open(server)
  await vi.advanceTimersByTimeAsync(1_000)
  server.status.version = 2
  server.change++
  await server.changed(['a'])
  await vi.advanceTimersByTimeAsync(6_000)
  expect(board.trouble).toBe('status.version is number, not a string')
  expect(board.status?.version).toBe('1')
  server.status.version = '3'
  await vi.advanceTimersByTimeAsync(20_000)
  expect([board.trouble, board.status?.version]).toEqual([null, '3'])
})
