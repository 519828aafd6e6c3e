// Checks how lists of blobs grow, and that parts of two lists are never joined.
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { BlobsAnswer, BlobsQuery } from '../api/blobs'
import type { Client } from '../api/client'
import { Blobs, type SeriesName } from './blobs.svelte'
import type { Board } from './board.svelte'

type Listener = Parameters<Board['listen']>[0]

/** A server on which every series has the steps 0 to `count` - 1, and a page that follows it. */
class Fixture {
  instance = 'a'
  count = 1
  change = 1
  /** What answers wait for. */
  gate: Promise<void> = Promise.resolve()
  readonly queries: BlobsQuery[] = []
  readonly blobs: Blobs
  #listener: Listener = {}

  constructor() {
    const client = { blobs: (query: BlobsQuery) => this.#answer(query) } as unknown as Client
    const board = {
      listen: (listener: Listener) => {
        this.#listener = listener
      },
      report: () => undefined,
    } as unknown as Board
    this.blobs = new Blobs(client, board)
  }

  /** One more step in every series. */
  grow(): void {
    this.count++
    this.change++
    this.#listener.changed?.({ change: this.change } as never)
  }

  async #answer(query: BlobsQuery): Promise<BlobsAnswer> {
    this.queries.push(query)
    const isOurs = query.instance === undefined || query.instance === this.instance
    const { instance, change, count } = this
    const series = query.series.map(({ known }, at) => {
      const first = isOurs ? (known?.count ?? 0) : 0
      const steps = Float64Array.from({ length: count - first }, (_, step) => first + step)
      return {
        series: at,
        generation: 1,
        total: count,
        first,
        plugin: 'images',
        steps,
        wallTimes: steps,
        places: [steps],
      }
    })
    await this.gate
    return { instance, change, series, missing: [] }
  }
}

const names = (count: number): SeriesName[] =>
  Array.from({ length: count }, (_, at) => ({ run: String(at), tag: 'x', dashboard: 'images' }))
const [FIRST] = names(1) as [SeriesName]

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

test('only what is new is requested', async () => {
  const server = new Fixture()
  server.blobs.watch([FIRST])
  await vi.runAllTimersAsync()
  server.grow()
  await vi.runAllTimersAsync()
  expect(server.queries.map(({ series }) => series[0]?.known)).toEqual([undefined, { generation: 1, count: 1 }])
  expect([...(server.blobs.of(FIRST)?.steps ?? [])]).toEqual([0, 1])
})

test('a list that is dropped while it is requested is whole when it is watched again', async () => {
  const server = new Fixture()
  const end = server.blobs.watch(names(2_001))
  await vi.runAllTimersAsync()
  let open: () => void = () => undefined
  server.gate = new Promise((resolve) => {
    open = resolve
  })
  server.grow()
  await vi.advanceTimersByTimeAsync(1_000)
  expect(server.queries).toHaveLength(2)
  end()
  open()
  await vi.runAllTimersAsync()
  expect(server.blobs.of(FIRST)).toBeUndefined()
  server.blobs.watch([FIRST])
  await vi.runAllTimersAsync()
  expect([...(server.blobs.of(FIRST)?.steps ?? [])]).toEqual([0, 1])
})

test('after a restart of the server, a list has no addresses of the server before', async () => {
  const server = new Fixture()
  server.blobs.watch([FIRST])
  await vi.runAllTimersAsync()
  server.instance = 'b'
  server.grow()
  await vi.runAllTimersAsync()
  expect(server.queries.at(-1)?.instance).toBe('a')
  const list = server.blobs.of(FIRST)
  expect([list?.instance, ...(list?.steps ?? [])]).toEqual(['b', 0, 1])
  server.grow()
  await vi.runAllTimersAsync()
  expect(server.queries.at(-1)).toMatchObject({ instance: 'b', series: [{ known: { count: 2 } }] })
})
