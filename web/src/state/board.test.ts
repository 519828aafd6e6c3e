// What the page knows follows the events, with as few questions as will do.
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { client, type Ask } from '../api/client'
import { Board } from './board.svelte'

const PROGRESS = { bytes_done: 0, bytes_known: 10, files_done: 0, files_known: 1, loading: true }
const STATUS = {
  version: '1',
  instance: 'i',
  title: 'Kymograph',
  logdir: [{ name: null, path: 'runs', exists: true }],
  change: 1,
  runs: 1,
  progress: PROGRESS,
  damage: { files: 0, bad_records: 0, bad_headers: 0, skipped_bytes: 0, unreadable: 0 },
  unreachable: [],
}
const RUN = { name: 'a', start_time: null, end_time: null, dashboards: ['scalars'], series: 1, points: 1 }

/** A server whose answers can be changed, and whose stream is written by the test. */
class Server {
  asked: string[] = []
  status: object = STATUS
  runs: readonly object[] = [RUN]
  #stream: ReadableStreamDefaultController<Uint8Array> | undefined

  ask: Ask = (url, { signal }) => {
    const name = url.pathname.replace('/api/v1/', '')
    this.asked.push(name)
    if (name === 'status') return Promise.resolve(Response.json(this.status))
    if (name === 'runs') return Promise.resolve(Response.json({ change: 1, matched: this.runs.length, runs: this.runs }))
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => {
        this.#stream = controller
        signal?.addEventListener('abort', () => { controller.error(new Error('aborted')) })
      },
    })
    return Promise.resolve(new Response(body, { headers: { 'content-type': 'text/event-stream' } }))
  }

  async send(name: string, data: object): Promise<void> {
    this.#stream?.enqueue(new TextEncoder().encode(`event: ${name}\ndata: ${JSON.stringify(data)}\n\n`))
    await vi.advanceTimersByTimeAsync(0)
  }

  count(name: string): number {
    return this.asked.filter((asked) => asked === name).length
  }
}

const CHANGE = { change: 2, runs: ['a'], tags: [], removed: [], all: false }

async function open(server: Server): Promise<Board> {
  const board = new Board(client('http://x/', server.ask))
  board.resume()
  await vi.advanceTimersByTimeAsync(0)
  await server.send('hello', { instance: 'i', change: 1 })
  return board
}

beforeEach(() => { vi.useFakeTimers() })
afterEach(() => { vi.useRealTimers() })

test('a board that is opened shows its status and the first runs', async () => {
  const board = await open(new Server())
  expect(board.connection).toBe('live')
  expect(board.status?.title).toBe('Kymograph')
  expect(board.runs?.runs.map((run) => run.name)).toEqual(['a'])
})

test('the first look does not wait for the stream, and its greeting asks no more', async () => {
  const server = new Server()
  const board = new Board(client('http://x/', server.ask))
  board.resume()
  await vi.advanceTimersByTimeAsync(0)
  expect(board.runs?.matched).toBe(1)
  await server.send('hello', { instance: 'i', change: 1 })
  await vi.advanceTimersByTimeAsync(1_000)
  expect(server.count('runs')).toBe(1)
})

test('the greeting of another server, or after a change, brings everything anew', async () => {
  const server = new Server()
  await open(server)
  await vi.advanceTimersByTimeAsync(1_000)
  const before = server.count('runs')
  await server.send('hello', { instance: 'i', change: 2 })
  await vi.advanceTimersByTimeAsync(1_000)
  await server.send('hello', { instance: 'j', change: 1 })
  await vi.advanceTimersByTimeAsync(1_000)
  expect(server.count('runs') - before).toBe(2)
})

test('that a login is wanted is said once', async () => {
  const ask: Ask = () => Promise.resolve(Response.json({ error: 'this board asks for a token' }, { status: 401 }))
  const board = new Board(client('http://x/', ask))
  board.resume()
  await vi.advanceTimersByTimeAsync(100)
  expect([board.connection, board.trouble]).toEqual(['denied', null])
  board.pause()
})

test('progress is shown without a question, its end with one', async () => {
  const server = new Server()
  const board = await open(server)
  await vi.advanceTimersByTimeAsync(1_000)
  const before = server.asked.length
  await server.send('progress', { ...PROGRESS, bytes_done: 5 })
  expect(board.status?.progress.bytes_done).toBe(5)
  expect(server.asked.length).toBe(before)
  server.status = { ...STATUS, damage: { ...STATUS.damage, files: 1 }, progress: { ...PROGRESS, loading: false } }
  await server.send('progress', { ...PROGRESS, loading: false })
  expect(board.status?.damage.files).toBe(1)
  await vi.advanceTimersByTimeAsync(1_000)
  const after = server.asked.length
  await server.send('progress', { ...PROGRESS, loading: false })
  expect(server.asked.length).toBe(after)
})

test('however fast the runs change, they are asked for twice a second', async () => {
  const server = new Server()
  await open(server)
  await vi.advanceTimersByTimeAsync(1_000)
  const before = server.count('runs')
  for (let n = 0; n < 100; n++) {
    await server.send('change', CHANGE)
    await vi.advanceTimersByTimeAsync(20)
  }
  server.runs = [RUN, { ...RUN, name: 'last' }]
  await server.send('change', CHANGE)
  await vi.advanceTimersByTimeAsync(1_000)
  expect(server.count('runs') - before).toBeLessThanOrEqual(6)
})

test('the last change is never missed', async () => {
  const server = new Server()
  const board = await open(server)
  server.runs = [RUN, { ...RUN, name: 'b' }]
  await server.send('change', CHANGE)
  server.runs = [RUN, { ...RUN, name: 'b' }, { ...RUN, name: 'c' }]
  await server.send('change', CHANGE)
  await vi.advanceTimersByTimeAsync(1_000)
  expect(board.runs?.matched).toBe(3)
})

test('while there are no runs, it is asked whether the directory exists by now', async () => {
  const server = new Server()
  server.runs = []
  server.status = { ...STATUS, logdir: [{ name: null, path: 'runs', exists: false }] }
  const board = await open(server)
  expect(board.status?.logdir[0]?.exists).toBe(false)
  server.status = STATUS
  await vi.advanceTimersByTimeAsync(4_000)
  expect(board.status?.logdir[0]?.exists).toBe(true)
  board.pause()
  const before = server.asked.length
  await vi.advanceTimersByTimeAsync(60_000)
  expect(server.asked.length).toBe(before)
})

test('an answer that cannot be used is told, and what was there stays', async () => {
  const server = new Server()
  const board = await open(server)
  await vi.advanceTimersByTimeAsync(1_000)
  server.status = { ...STATUS, runs: 'many' }
  await server.send('change', CHANGE)
  await vi.advanceTimersByTimeAsync(1_000)
  expect(board.trouble).toBe('status.runs is string, not a number')
  expect(board.status?.runs).toBe(1)
  server.status = STATUS
  await server.send('change', CHANGE)
  await vi.advanceTimersByTimeAsync(1_000)
  expect(board.trouble).toBeNull()
})
