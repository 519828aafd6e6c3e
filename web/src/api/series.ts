// Lines and bands of a column frame: views on its columns, nothing is copied.
import type { Numbers, Range } from '../lib/numbers'
import type { BandColumns, Extent, Neighbour, Trace } from '../lib/traces'
import { numbers, type Frame } from './columns'
import { flag, list, nullable, number, object, optional, real, text, word, type Parse } from './shape'

export type SeriesX = 'step' | 'relative_time' | 'wall_time' | { readonly tag: string }

export interface SeriesGroup {
  readonly name: string
  readonly runs: readonly string[]
}

/** One plot of a question: lines of `runs`, or bands of `groups`. */
export interface SeriesCard {
  readonly tag?: string
  readonly expression?: string
  readonly runs?: readonly string[]
  readonly groups?: readonly SeriesGroup[]
  readonly x: SeriesX
  readonly range: Range | null
  readonly columns: number
  readonly smoothing: string
  /** False: lines of which every point is sent come without `smoothed`. */
  readonly smooth_points?: boolean
  readonly bootstrap?: 'mean' | 'median' | 'iqm'
}

/** The first points of a line that the page has. */
export interface Known {
  readonly card: number
  readonly run: string
  readonly tag: string
  readonly generation: number
  readonly points: number
}

export interface SeriesQuery {
  readonly cards: readonly SeriesCard[]
  /** Lines with the same x have them only once, at their `x_start`. */
  readonly share_x: true
  readonly instance?: string
  readonly since?: number
  readonly known?: readonly Known[]
}

export interface AnsweredLine {
  /** Its position in the request. */
  readonly card: number
  readonly run: string
  readonly change: number
  readonly generation: number
  /** Of the whole series, and of the range. */
  readonly points: number
  readonly pointsInRange: number
  /** Points without an x. */
  readonly skipped: number
  /** Its first entries up to here are those that the page has. */
  readonly fromPoint: number
  readonly data: Trace
  readonly before: Neighbour | null
  readonly after: Neighbour | null
}

export interface AnsweredBand extends BandColumns {
  readonly card: number
  readonly group: number
}

/** A line has a `run`, a band a `group`; what is missing of a band has both. */
export interface Place {
  readonly card: number
  readonly run: string | null
  readonly group: number | null
}

export interface SeriesAnswer {
  readonly instance: string
  readonly change: number
  readonly lines: readonly AnsweredLine[]
  readonly bands: readonly AnsweredBand[]
  readonly unchanged: readonly Place[]
  readonly missing: readonly Place[]
}

interface LineHead {
  readonly card: number
  readonly run: string
  readonly change: number
  readonly generation: number
  readonly points: number
  readonly exact: boolean
  readonly points_in_range: number
  readonly skipped: number
  readonly start: number
  readonly length: number
  readonly x_start: number | null
  readonly smoothed_start: number | null
  readonly from_point: number
  readonly before: Neighbour | null
  readonly after: Neighbour | null
}

interface BandHead {
  readonly card: number
  readonly group: number
  readonly runs: number
  readonly start: number
  readonly length: number
  readonly boot_start: number | null
}

const realOrNull = nullable(real)
const reals = list(realOrNull)

const neighbour: Parse<Neighbour | null> = (value, where) => {
  if (value === undefined || value === null) return null
  const [x, y, smoothed] = reals(value, where)
  return [real(x, where), real(y, where), smoothed ?? null]
}

const place: Parse<Place> = object<Place>({
  card: number,
  run: optional(nullable(text), null),
  group: optional(nullable(number), null),
})

const parseMeta = object<{
  instance: string
  change: number
  series: readonly LineHead[]
  groups: readonly BandHead[]
  unchanged: readonly Place[]
  missing: readonly (Place & { lacks: string })[]
}>({
  instance: text,
  change: number,
  series: list(
    object<LineHead>({
      card: number,
      run: text,
      change: number,
      generation: number,
      points: number,
      exact: flag,
      points_in_range: number,
      skipped: number,
      start: number,
      length: number,
      x_start: optional(nullable(number), null),
      smoothed_start: optional(nullable(number), null),
      from_point: optional(number, 0),
      before: neighbour,
      after: neighbour,
    }),
  ),
  groups: list(
    object<BandHead>({
      card: number,
      group: number,
      runs: number,
      start: number,
      length: number,
      boot_start: optional(nullable(number), null),
    }),
  ),
  unchanged: list(place),
  missing: list((value, where) => ({
    ...place(value, where),
    ...object<{ lacks: string }>({ lacks: word('run', 'tag', 'x') })(value, where),
  })),
})

/** Throws ShapeError or FrameError when the frame is not a response to a request for series. */
export function parseSeries(frame: Frame): SeriesAnswer {
  const meta = parseMeta(frame.meta, 'meta')
  const columns = cachedColumns(frame)
  return {
    instance: meta.instance,
    change: meta.change,
    lines: meta.series.map((head) => line(head, columns)),
    bands: meta.groups.map((head) => band(head, columns)),
    unchanged: meta.unchanged,
    missing: meta.missing,
  }
}

type Columns = (name: string, start: number, length: number) => Numbers

/** Columns of 64-bit integers become doubles once, not once for each line. */
function cachedColumns(frame: Frame): Columns {
  const known = new Map<string, Numbers>()
  return (name, start, length) => {
    let column = known.get(name)
    if (column === undefined) known.set(name, (column = numbers(frame, name)))
    if (start + length > column.length) throw new RangeError(`an entry extends beyond the column: ${name}`)
    return column.subarray(start, start + length)
  }
}

function line(head: LineHead, columns: Columns): AnsweredLine {
  const { card, run, change, generation, points, skipped, before, after } = head
  const data = head.exact ? pointsOf(head, columns) : columnsOf(head, columns)
  return {
    card,
    run,
    change,
    generation,
    points,
    skipped,
    before,
    after,
    data,
    pointsInRange: head.points_in_range,
    fromPoint: head.from_point,
  }
}

function pointsOf({ start, length, x_start, smoothed_start }: LineHead, columns: Columns): Trace {
  return {
    kind: 'points',
    x: columns('x', x_start ?? start, length),
    y: columns('value', start, length),
    smoothed: smoothed_start === null ? null : columns('smoothed', smoothed_start, length),
  }
}

function columnsOf({ start, length, smoothed_start }: LineHead, columns: Columns): Trace {
  const extent = (prefix: string, from: number): Extent => ({
    first: columns(`${prefix}first`, from, length),
    min: columns(`${prefix}min`, from, length),
    max: columns(`${prefix}max`, from, length),
    last: columns(`${prefix}last`, from, length),
  })
  return {
    kind: 'columns',
    xFirst: columns('column_x_first', start, length),
    xLast: columns('column_x_last', start, length),
    raw: extent('column_', start),
    smoothed: smoothed_start === null ? null : extent('column_smoothed_', smoothed_start),
    count: columns('column_count', start, length),
    flags: columns('column_flags', start, length),
  }
}

function band({ card, group, runs, start, length, boot_start }: BandHead, columns: Columns): AnsweredBand {
  const of = (name: string): Numbers => columns(`band_${name}`, start, length)
  return {
    card,
    group,
    runs,
    x: of('x'),
    count: of('count'),
    mean: of('mean'),
    median: of('median'),
    iqm: of('iqm'),
    min: of('min'),
    max: of('max'),
    std: of('std'),
    stderr: of('stderr'),
    q25: of('q25'),
    q75: of('q75'),
    bootLow: boot_start === null ? null : columns('band_boot_low', boot_start, length),
    bootHigh: boot_start === null ? null : columns('band_boot_high', boot_start, length),
  }
}
