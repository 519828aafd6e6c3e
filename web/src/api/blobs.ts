// Lists of blobs of many series, out of a column frame: when each was logged, and its address.
import type { Numbers } from '../lib/numbers'
import { numbers, type Frame } from './columns'
import { anything, list, number, object, text } from './shape'

export interface BlobsQuery {
  readonly series: readonly {
    readonly run: string
    readonly tag: string
    readonly dashboard: string
    readonly known?: { readonly generation: number; readonly count: number }
  }[]
  readonly instance?: string
  readonly since?: number
}

export interface BlobsSeries {
  /** Its position in the query. */
  readonly series: number
  readonly generation: number
  readonly total: number
  /** The index in the series of the first one that is here; what was known before stays if it is not 0. */
  readonly first: number
  readonly plugin: string
  readonly steps: Float64Array<ArrayBuffer>
  readonly wallTimes: Float64Array<ArrayBuffer>
  /** The numbers that make up the addresses, see `addressAt`. */
  readonly places: readonly Float64Array<ArrayBuffer>[]
}

export interface BlobsAnswer {
  readonly instance: string
  readonly change: number
  readonly series: readonly BlobsSeries[]
  /** Positions in the query. */
  readonly missing: readonly number[]
}

const PARTS = ['kind', 'file', 'record_offset', 'payload_length', 'value_offset', 'value_length'] as const

const parseMeta = object({
  instance: text,
  change: number,
  series: list(
    object({
      series: number,
      generation: number,
      total: number,
      first: number,
      start: number,
      count: number,
      plugin: anything,
    }),
  ),
  missing: list(object({ series: number })),
})

/** Throws ShapeError or FrameError when the frame is not a list. */
export function parseBlobs(frame: Frame): BlobsAnswer {
  const { instance, change, series, missing } = parseMeta(frame.meta, 'meta')
  const [steps, times] = [numbers(frame, 'step'), numbers(frame, 'wall_time')]
  const parts = PARTS.map((name) => numbers(frame, name))
  // A copy, so that a short list does not keep the whole frame in memory.
  const rows = (column: Numbers, start: number, count: number): Float64Array<ArrayBuffer> =>
    Float64Array.from(column.subarray(start, start + count))
  return {
    instance,
    change,
    missing: missing.map((one) => one.series),
    series: series.map(({ start, count, plugin, ...rest }) => ({
      ...rest,
      plugin: typeof plugin === 'string' ? plugin : '',
      steps: rows(steps, start, count),
      wallTimes: rows(times, start, count),
      places: parts.map((column) => rows(column, start, count)),
    })),
  }
}

/** The address of one blob of a list. Made when it is needed: a list may have a hundred thousand. */
export function addressAt(places: readonly Float64Array[], at: number): string {
  return places.map((column) => (column[at] ?? 0).toString(16)).join('-')
}
