// Lists of blobs of many series, out of a column frame: when each was logged, and its address.
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
  readonly steps: readonly number[]
  readonly wallTimes: readonly number[]
  readonly addresses: readonly string[]
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

/** Throws ShapeError or FrameError when the frame is no list. */
export function parseBlobs(frame: Frame): BlobsAnswer {
  const { instance, change, series, missing } = parseMeta(frame.meta, 'meta')
  const [steps, times] = [numbers(frame, 'step'), numbers(frame, 'wall_time')]
  const parts = PARTS.map((name) => numbers(frame, name))
  const address = (at: number): string => parts.map((column) => (column[at] ?? 0).toString(16)).join('-')
  return {
    instance,
    change,
    missing: missing.map((one) => one.series),
    series: series.map(({ start, count, plugin, ...rest }) => ({
      ...rest,
      plugin: typeof plugin === 'string' ? plugin : '',
      steps: [...steps.subarray(start, start + count)],
      wallTimes: [...times.subarray(start, start + count)],
      addresses: Array.from({ length: count }, (_, at) => address(start + at)),
    })),
  }
}
