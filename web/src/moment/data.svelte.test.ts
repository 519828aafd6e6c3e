import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Client } from '../api/client'
import type { Column, Frame } from '../api/columns'
import type { MomentQuery } from '../api/moment'
import type { BoardListener } from '../state/board.svelte'
import { MomentData } from './data.svelte'

const NO_STEPS = { before: [], after: [], first: null, last: null }
const COLUMNS = [
  ...['step', 'value', 'reference_step', 'reference_value', 'low', 'high', 'since', 'back'].map(
    (name) => `row_${name}`,
  ),
  ...['spark_low', 'spark_high', 'tick'],
  ...['x', 'first', 'min', 'max', 'last'].map((name) => `main_${name}`),
]

const frame = (run: string, step: number): Frame => ({
  meta: {
    instance: 'i',
    change: 1,
    run,
    step,
    wall_time: null,
    start_time: null,
    tag: null,
    tags: [],
    reference: null,
    window: [0, 1],
    rows: [],
    rows_total: 0,
    spark_columns: 2,
    lanes: [],
    items: [],
    items_total: 0,
    points: NO_STEPS,
    item_steps: NO_STEPS,
    marks: [],
  },
  columns: new Map<string, Column>(COLUMNS.map((name) => [name, new Float64Array(0)])),
})

const query = (run: string, step: number | null): MomentQuery => ({
  run,
  parts: ['part'],
  step,
  tag: null,
  reference: null,
  columns: 100,
  spark_columns: 2,
})

let asked: { readonly body: MomentQuery; answer(frame: Frame): void; fail(error: Error): void }[]
let listener: BoardListener | null
let data: MomentData
let stop: () => void

beforeEach(() => {
  vi.useFakeTimers()
  asked = []
  listener = null
  const client = {
    frame: (_path: string, body: unknown) =>
      new Promise<Frame>((answer, fail) => {
        asked.push({ body: body as MomentQuery, answer, fail })
      }),
  } as unknown as Client
  const board = {
    listen: (one: BoardListener) => {
      listener = one
      return () => {
        listener = null
      }
    },
  }
  data = new MomentData({ client, board })
  stop = data.follow()
})

afterEach(() => {
  stop()
  vi.useRealTimers()
})

const settled = (): Promise<unknown> => vi.advanceTimersByTimeAsync(0)
const changed = (...runs: string[]): void => {
  listener?.changed?.({ change: 2, runs, tags: [], removed: [], all: false })
}

describe('the answer for a moment', () => {
  it('is requested one at a time, the last wish last', async () => {
    data.ask(query('a', 1))
    data.ask(query('a', 2))
    data.ask(query('a', 3))
    expect(asked.map(({ body }) => body.step)).toEqual([1])
    asked[0]?.answer(frame('a', 1))
    await settled()
    expect(data.answer?.step).toBe(1)
    expect(asked.map(({ body }) => body.step)).toEqual([1, 3])
  })

  it('is none while that of another run is on its way, also if the first comes late', async () => {
    data.ask(query('a', 1))
    asked[0]?.answer(frame('a', 1))
    await settled()
    data.ask(query('a', 2))
    data.ask(query('b', 2))
    expect(data.answer).toBeNull()
    asked[1]?.answer(frame('a', 2))
    await settled()
    expect(data.answer).toBeNull()
    asked[2]?.answer(frame('b', 2))
    await settled()
    expect(data.answer?.run).toBe('b')
  })

  it('is requested again when the run or a part of it grows, and not for others', async () => {
    data.ask(query('a', null))
    asked[0]?.answer(frame('a', 5))
    await settled()
    changed('other')
    await vi.advanceTimersByTimeAsync(5_000)
    expect(asked).toHaveLength(1)
    changed('part')
    changed('a')
    await vi.advanceTimersByTimeAsync(5_000)
    expect(asked).toHaveLength(2)
  })

  it('stays when a later request fails, and says why', async () => {
    data.ask(query('a', 1))
    asked[0]?.answer(frame('a', 1))
    await settled()
    data.ask(query('a', 2))
    asked[1]?.fail(new Error('the server is not responding'))
    await settled()
    expect([data.answer?.step, data.trouble]).toEqual([1, 'the server is not responding'])
  })

  it('is not requested any more once it is not shown', async () => {
    data.ask(query('a', 1))
    changed('a')
    stop()
    asked[0]?.answer(frame('a', 1))
    await vi.advanceTimersByTimeAsync(5_000)
    expect(asked).toHaveLength(1)
  })
})
