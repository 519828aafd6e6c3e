// The stream of events: delivered in order, resumed where it broke off, replaced by polling where a proxy buffers it.
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Ask } from './client'
import { LiveStream, parseEvent, type Connection, type LiveEvent } from './live'

const URL_ = new URL('http://x/api/v1/live')
const hello = (change: number): string =>
  `id: i.${String(change)}\nevent: hello\ndata: {"instance":"i","change":${String(change)}}\n\n`
const changed = (change: number): string =>
  `id: i.${String(change)}\nevent: change\ndata: {"change":${String(change)},"runs":["a"],"tags":[],"removed":[],"all":false}\n\n`

/** One request: what was asked, and the means to answer it piece by piece. */
class Stream {
  readonly url: string
  readonly signal: AbortSignal
  #controller!: ReadableStreamDefaultController<Uint8Array>
  #answer!: (response: Response) => void
  readonly response = new Promise<Response>((resolve) => {
    this.#answer = resolve
  })

  constructor(url: URL, options: RequestInit) {
    this.url = url.href
    this.signal = options.signal as AbortSignal
  }

  async open(status = 200, type = 'text/event-stream'): Promise<void> {
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => {
        this.#controller = controller
      },
    })
    this.signal.addEventListener('abort', () => {
      this.#controller.error(new Error('aborted'))
    })
    this.#answer(new Response(body, { status, headers: { 'content-type': type } }))
    await settle()
  }

  async send(text: string): Promise<void> {
    this.#controller.enqueue(new TextEncoder().encode(text))
    await settle()
  }

  async end(): Promise<void> {
    this.#controller.close()
    await settle()
  }
}

async function settle(): Promise<void> {
  await vi.advanceTimersByTimeAsync(0)
}

function start(poll: () => Promise<number> = () => Promise.reject(new Error('no server'))) {
  const streams: Stream[] = []
  const events: LiveEvent[] = []
  const connections: Connection[] = []
  const ask: Ask = (url, options) => {
    const stream = new Stream(url, options)
    streams.push(stream)
    return new Promise((resolve, reject) => {
      stream.signal.addEventListener('abort', () => {
        reject(new Error('aborted'))
      })
      void stream.response.then(resolve)
    })
  }
  const following = new LiveStream(URL_, ask, {
    event: (event) => {
      events.push(event)
    },
    connection: (connection) => {
      connections.push(connection)
    },
    poll,
  })
  following.resume()
  const last = (): Stream => {
    const stream = streams.at(-1)
    if (stream === undefined) throw new Error('nothing was asked')
    return stream
  }
  return { streams, events, connections, following, last }
}

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

test('events are delivered in order, even if they arrive in pieces', async () => {
  const { events, connections, last } = start()
  await last().open()
  const text = `retry: 1000\n\n${hello(4)}${changed(5)}event: newer\ndata: {}\n\n`
  for (const piece of [text.slice(0, 30), text.slice(30, 97), text.slice(97)]) await last().send(piece)
  expect(events).toEqual([
    { kind: 'hello', instance: 'i', change: 4 },
    { kind: 'change', change: 5, runs: ['a'], tags: [], removed: [], all: false },
  ])
  expect(connections).toEqual(['live'])
})

test('a stream that ends is resumed after the last event, without a warning', async () => {
  const { streams, connections, last } = start()
  await last().open()
  await last().send(hello(4) + changed(9))
  await last().end()
  await vi.advanceTimersByTimeAsync(500)
  expect(streams.map((stream) => stream.url)).toEqual([URL_.href, `${URL_.href}?last=i.9`])
  expect(connections).toEqual(['live'])
})

test('a server that is gone is reported, and tried again at increasing intervals', async () => {
  const { streams, connections, last } = start()
  await last().open()
  await last().send(hello(4))
  await last().end()
  const tries: number[] = []
  for (let millis = 0; millis < 60_000; millis += 100) {
    await vi.advanceTimersByTimeAsync(100)
    if (last().signal.aborted) continue
    tries.push(millis + 100)
    await last().open(502, 'text/html')
  }
  expect(tries.slice(0, 5)).toEqual([500, 1000, 2000, 4000, 8000])
  expect(Math.max(...tries.slice(1).map((at, n) => at - (tries[n] ?? 0)))).toBe(15_000)
  expect(new Set(connections)).toEqual(new Set(['live', 'lost']))
  expect(streams.at(-1)?.url).toContain('last=i.4')
})

test('a stream that falls silent is given up', async () => {
  const { streams, last } = start()
  await last().open()
  await last().send(hello(4))
  await vi.advanceTimersByTimeAsync(30_000)
  await last().send(': heartbeat\n\n')
  await vi.advanceTimersByTimeAsync(30_000)
  expect(streams).toHaveLength(1)
  await vi.advanceTimersByTimeAsync(10_500)
  expect(streams).toHaveLength(2)
  expect(streams[0]?.signal.aborted).toBe(true)
})

test('a server that requires a login is reported as such', async () => {
  const { connections, last } = start()
  await last().open(401, 'application/json')
  expect(connections).toEqual(['denied'])
})

test('a page of a proxy is no stream', async () => {
  const { events, connections, last } = start()
  await last().open(200, 'text/html')
  await settle()
  expect([events, connections]).toEqual([[], ['lost']])
})

test('an event of another shape ends the stream instead of the page', async () => {
  const { streams, events, last } = start()
  await last().open()
  await last().send(hello(4))
  await last().send('event: change\ndata: {"change":"many"}\n\n')
  await last()
    .end()
    .catch(() => undefined)
  await vi.advanceTimersByTimeAsync(500)
  expect(events).toHaveLength(1)
  expect(streams).toHaveLength(2)
})

test('where a proxy holds the stream back, the server is polled, and the stream tried each minute', async () => {
  let change = 7
  const { streams, events, connections } = start(() => Promise.resolve(change))
  await vi.advanceTimersByTimeAsync(5_000)
  expect(connections).toEqual(['polling'])
  expect(events).toEqual([{ kind: 'change', change: 7, runs: [], tags: [], removed: [], all: true }])
  await vi.advanceTimersByTimeAsync(5_000)
  expect(events).toHaveLength(1)
  change = 8
  await vi.advanceTimersByTimeAsync(5_000)
  expect(events.map((event) => 'change' in event && event.change)).toEqual([7, 8])
  await vi.advanceTimersByTimeAsync(50_000)
  expect(streams).toHaveLength(2)
})

test('nothing is requested or delivered while paused, and afterwards the stream resumes from there', async () => {
  const { streams, events, following, last } = start()
  await last().open()
  await last().send(hello(4))
  following.pause()
  expect(last().signal.aborted).toBe(true)
  await vi.advanceTimersByTimeAsync(600_000)
  expect(streams).toHaveLength(1)
  following.resume()
  following.resume()
  expect(streams).toHaveLength(2)
  expect(last().url).toBe(`${URL_.href}?last=i.4`)
  await last().open()
  await last().send(hello(6))
  expect(events).toHaveLength(2)
})

test.each([
  ['reset', '{"instance":"j"}', { kind: 'reset', instance: 'j' }],
  ['curation', '{"revision":"r"}', { kind: 'curation', revision: 'r' }],
  [
    'progress',
    '{"bytes_done":1,"bytes_known":2,"files_done":3,"files_known":4,"loading":true}',
    { kind: 'progress', progress: { bytes_done: 1, bytes_known: 2, files_done: 3, files_known: 4, loading: true } },
  ],
  ['unheard-of', '{}', undefined],
])('an event of kind %s', (name, data, event) => {
  expect(parseEvent({ name, data, id: '' })).toEqual(event)
})
