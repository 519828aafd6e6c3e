// Everything that a run logged around one step, out of a column frame.
import type { Numbers } from '../lib/numbers'
import type { Client } from './client'
import { numbers, type Frame } from './columns'
import { flag, list, nullable, number, object, optional, text, word } from './shape'

export interface MomentQuery {
  readonly run: string
  readonly parts: readonly string[]
  /** The last one while it is null. */
  readonly step: number | null
  readonly tag: string | null
  readonly reference: number | null
  /** Pixel columns of the window. */
  readonly columns: number
  readonly spark_columns: number
}

export interface MomentRow {
  readonly run: string
  readonly tag: string
  /** Whether it is a system metric, which is placed by its wall time. */
  readonly isSystem: boolean
  readonly rangePoints: number
  /** NaN before the first point, like its value. */
  readonly step: number
  readonly value: number
  readonly referenceStep: number
  readonly referenceValue: number
  /** The usual range; NaN where there are too few points. */
  readonly low: number
  readonly high: number
  /** Where it left its usual range between the reference and the step; NaN if it did not. */
  readonly since: number
  readonly back: number
  /** The lowest and highest values in columns of the window; NaN where there are none. */
  readonly sparkLow: Numbers
  readonly sparkHigh: Numbers
}

export interface MomentLane {
  /** A dashboard, `evaluation`, `output` or `system`. */
  readonly kind: string
  readonly series: number
  readonly total: number
  readonly step: number | null
  readonly referenceStep: number | null
  readonly ticks: Numbers
}

export interface MomentItem {
  readonly run: string
  readonly tag: string
  readonly dashboard: string
  readonly plugin: string
  readonly displayName: string
  readonly clock: 'step' | 'time' | 'once'
  readonly total: number
  readonly step: number | null
  readonly wallTime: number | null
  readonly address: string | null
  readonly referenceStep: number | null
  readonly referenceAddress: string | null
  readonly nextStep: number | null
}

export type MarkKind = 'range' | 'nan' | 'restart'

export interface MomentMark {
  readonly step: number
  readonly kind: MarkKind
  readonly tag: string | null
}

/** Neighbouring steps, and the ends of all. */
export interface WalkSteps {
  readonly before: readonly number[]
  readonly after: readonly number[]
  readonly first: number | null
  readonly last: number | null
}

export interface MomentReference {
  readonly step: number
  readonly wallTime: number | null
  readonly kind: 'given' | 'evaluation' | 'item' | 'point'
}

/** The main tag in the window, by pixel column. */
export interface MomentLine {
  readonly x: Numbers
  readonly first: Numbers
  readonly min: Numbers
  readonly max: Numbers
  readonly last: Numbers
}

export interface MomentAnswer {
  readonly instance: string
  readonly change: number
  readonly run: string
  readonly step: number
  readonly wallTime: number | null
  readonly startTime: number | null
  readonly tag: string | null
  readonly tags: readonly string[]
  readonly reference: MomentReference | null
  readonly window: readonly [number, number]
  readonly main: MomentLine
  readonly rows: readonly MomentRow[]
  readonly rowsTotal: number
  readonly lanes: readonly MomentLane[]
  readonly items: readonly MomentItem[]
  readonly itemsTotal: number
  readonly points: WalkSteps
  readonly itemSteps: WalkSteps
  readonly marks: readonly MomentMark[]
}

const walkSteps = object<WalkSteps>({
  before: list(number),
  after: list(number),
  first: nullable(number),
  last: nullable(number),
})

const parseMeta = object({
  instance: text,
  change: number,
  run: text,
  step: number,
  wall_time: nullable(number),
  start_time: nullable(number),
  tag: nullable(text),
  tags: list(text),
  reference: nullable(
    object({ step: number, wall_time: nullable(number), kind: word('given', 'evaluation', 'item', 'point') }),
  ),
  window: list(number),
  rows: list(object({ run: text, tag: text, is_system: flag, range_points: number })),
  rows_total: number,
  spark_columns: number,
  lanes: list(
    object({
      kind: text,
      series: number,
      total: number,
      step: nullable(number),
      reference_step: nullable(number),
      start: number,
      count: number,
    }),
  ),
  items: list(
    object({
      run: text,
      tag: text,
      dashboard: text,
      plugin: text,
      display_name: text,
      clock: word('step', 'time', 'once'),
      total: number,
      step: nullable(number),
      wall_time: nullable(number),
      address: nullable(text),
      reference_step: nullable(number),
      reference_address: nullable(text),
      next_step: nullable(number),
    }),
  ),
  items_total: number,
  points: walkSteps,
  item_steps: walkSteps,
  marks: list(object<MomentMark>({ step: number, kind: word('range', 'nan', 'restart'), tag: nullable(text) })),
})

/** Throws ShapeError or FrameError when the frame is no moment. */
export function parseMoment(frame: Frame): MomentAnswer {
  const meta = parseMeta(frame.meta, 'meta')
  const row = (name: string): Numbers => numbers(frame, `row_${name}`)
  const [steps, values, low, high] = [row('step'), row('value'), row('low'), row('high')]
  const [referenceSteps, referenceValues] = [row('reference_step'), row('reference_value')]
  const [since, back] = [row('since'), row('back')]
  const [sparkLow, sparkHigh] = [numbers(frame, 'spark_low'), numbers(frame, 'spark_high')]
  const ticks = numbers(frame, 'tick')
  const main = (name: string): Numbers => numbers(frame, `main_${name}`)
  const width = meta.spark_columns
  const [from = 0, to = 1] = meta.window
  return {
    instance: meta.instance,
    change: meta.change,
    run: meta.run,
    step: meta.step,
    wallTime: meta.wall_time,
    startTime: meta.start_time,
    tag: meta.tag,
    tags: meta.tags,
    reference: meta.reference && {
      step: meta.reference.step,
      wallTime: meta.reference.wall_time,
      kind: meta.reference.kind,
    },
    window: [from, to],
    main: { x: main('x'), first: main('first'), min: main('min'), max: main('max'), last: main('last') },
    rows: meta.rows.map(({ run, tag, is_system, range_points }, at) => ({
      run,
      tag,
      isSystem: is_system,
      rangePoints: range_points,
      step: steps[at] ?? NaN,
      value: values[at] ?? NaN,
      referenceStep: referenceSteps[at] ?? NaN,
      referenceValue: referenceValues[at] ?? NaN,
      low: low[at] ?? NaN,
      high: high[at] ?? NaN,
      since: since[at] ?? NaN,
      back: back[at] ?? NaN,
      sparkLow: sparkLow.subarray(at * width, (at + 1) * width),
      sparkHigh: sparkHigh.subarray(at * width, (at + 1) * width),
    })),
    rowsTotal: meta.rows_total,
    lanes: meta.lanes.map(({ kind, series, total, step, reference_step, start, count }) => ({
      kind,
      series,
      total,
      step,
      referenceStep: reference_step,
      ticks: ticks.subarray(start, start + count),
    })),
    items: meta.items.map((item) => ({
      run: item.run,
      tag: item.tag,
      dashboard: item.dashboard,
      plugin: item.plugin,
      displayName: item.display_name,
      clock: item.clock,
      total: item.total,
      step: item.step,
      wallTime: item.wall_time,
      address: item.address,
      referenceStep: item.reference_step,
      referenceAddress: item.reference_address,
      nextStep: item.next_step,
    })),
    itemsTotal: meta.items_total,
    points: meta.points,
    itemSteps: meta.item_steps,
    marks: meta.marks,
  }
}

/** Centre and width of a histogram. */
export interface Spread {
  readonly count: number | null
  readonly mean: number | null
  readonly std: number | null
  readonly error: string | null
}

export interface HistogramBuckets {
  readonly left: Numbers
  readonly right: Numbers
  readonly count: Numbers
}

const parseSpreads = object({
  spreads: list(
    object<Spread>({
      count: nullable(number),
      mean: nullable(number),
      std: nullable(number),
      error: optional(nullable(text), null),
    }),
  ),
})

const parseTexts = object({ value: object({ strings: list(text) }) })

/** Everything that a run logged around a step. */
export async function momentAt(client: Client, query: MomentQuery, signal?: AbortSignal): Promise<MomentAnswer> {
  return parseMoment(await client.frame('moment', query, signal))
}

/** How wide these histograms are. */
export async function spreads(
  client: Client,
  instance: string,
  addresses: readonly string[],
  signal?: AbortSignal,
): Promise<readonly Spread[]> {
  const answer = await client.json('moment/spreads', { instance, addresses }, signal)
  return parseSpreads(answer, 'moment/spreads').spreads
}

export async function histogramAt(
  client: Client,
  instance: string,
  address: string,
  signal?: AbortSignal,
): Promise<HistogramBuckets> {
  const frame = await client.frame(`blobs/${instance}/${address}?as=frame`, null, signal)
  return { left: numbers(frame, 'left'), right: numbers(frame, 'right'), count: numbers(frame, 'count') }
}

/** The texts of a blob. */
export async function textsAt(
  client: Client,
  instance: string,
  address: string,
  signal?: AbortSignal,
): Promise<readonly string[]> {
  return parseTexts(await client.json(`blobs/${instance}/${address}?as=json`, null, signal), 'blobs').value.strings
}

/** Where a picture or clip of a blob is. */
export function itemUrl(client: Client, instance: string, address: string, item = 0): string {
  return client.url(`blobs/${instance}/${address}?as=item&item=${String(item)}`).href
}
