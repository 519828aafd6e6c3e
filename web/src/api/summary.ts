// Rows of a table of runs, out of a column frame: one for each series.
import { numbers, type Frame } from './columns'
import { list, number, object, text } from './shape'

export interface SummaryQuery {
  readonly tags: readonly string[]
  readonly runs: readonly string[] | null
  readonly instance?: string
  readonly since?: number
}

/** Of one series; values and steps are NaN where there is no such point. */
export interface SummaryRow {
  readonly run: string
  readonly tag: string
  readonly count: number
  readonly firstStep: number
  readonly lastStep: number
  readonly firstTime: number
  readonly lastTime: number
  readonly last: number
  readonly finiteLast: number
  readonly min: number
  readonly minStep: number
  readonly max: number
  readonly maxStep: number
  readonly nanCount: number
  /** Step of the first NaN; null if there is none. */
  readonly firstNan: number | null
}

export interface SummaryAnswer {
  readonly instance: string
  readonly change: number
  readonly rows: readonly SummaryRow[]
}

// Where there is no such point, a step is the lowest 64-bit integer.
const NO_STEP = -(2 ** 63)

const parseMeta = object<{ instance: string; change: number; runs: readonly string[]; tags: readonly string[] }>({
  instance: text,
  change: number,
  runs: list(text),
  tags: list(text),
})

/** Throws ShapeError or FrameError when the frame is not a table. */
export function parseSummary(frame: Frame): SummaryAnswer {
  const { instance, change, runs, tags } = parseMeta(frame.meta, 'meta')
  const value = (name: string): ((at: number) => number) => {
    const column = numbers(frame, name)
    return (at) => column[at] ?? NaN
  }
  const step = (name: string): ((at: number) => number) => {
    const of = value(name)
    return (at) => (of(at) === NO_STEP ? NaN : of(at))
  }
  const run = numbers(frame, 'run')
  const tag = value('tag')
  const count = value('count')
  const [firstStep, lastStep, minStep, maxStep] = [
    step('first_step'),
    step('last_step'),
    step('min_step'),
    step('max_step'),
  ]
  const [firstTime, lastTime] = [value('first_wall_time'), value('last_wall_time')]
  const [last, finiteLast, min, max] = [value('last_value'), value('finite_last'), value('min'), value('max')]
  const [nanCount, firstNan] = [value('nan_count'), step('first_nan_step')]
  const rows = Array.from(run, (place, at): SummaryRow => ({
    run: runs[place] ?? '',
    tag: tags[tag(at)] ?? '',
    count: count(at),
    firstStep: firstStep(at),
    lastStep: lastStep(at),
    firstTime: firstTime(at),
    lastTime: lastTime(at),
    last: last(at),
    finiteLast: finiteLast(at),
    min: min(at),
    minStep: minStep(at),
    max: max(at),
    maxStep: maxStep(at),
    nanCount: nanCount(at),
    firstNan: nanCount(at) > 0 ? firstNan(at) : null,
  }))
  return { instance, change, rows }
}
