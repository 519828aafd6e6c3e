// Lines as the chart works with them: which column is the main one, what is sorted, where a new stroke begins.
import type { Numbers, Range } from '../../lib/numbers'
import { firstAtLeast, isSorted } from '../plot/search'
import type { ChartData, Line } from './types'

/** From entry to entry, the first counted in and the last not. */
export type Places = readonly [from: number, to: number]

export interface Curve {
  readonly line: Line
  /** x of each entry: of the point, or of the last point of a pixel column. */
  readonly x: Numbers
  /** What is drawn in full colour: smoothed if there is such a thing. */
  readonly main: Numbers
  /** As logged; the last one of a pixel column. */
  readonly raw: Numbers
  readonly isSorted: boolean
  /** Whether every value is finite, so that there is nothing to mark. */
  readonly isFinite: boolean
  /** Entries where a new stroke begins, ascending: behind gaps, and at backward jumps if these are parted. */
  readonly splits: readonly number[]
}

export function curvesOf(data: ChartData, partition: boolean): Curve[] {
  return data.lines.map((line) => curveOf(line, data, partition))
}

function curveOf(line: Line, data: ChartData, partition: boolean): Curve {
  const trace = line.data
  const x = trace.kind === 'points' ? trace.x : trace.xLast
  const raw = trace.kind === 'points' ? trace.y : trace.raw.last
  const smoothed = trace.kind === 'points' ? trace.smoothed : (trace.smoothed?.last ?? null)
  const sorted = isSorted(x)
  const splits: number[] = []
  if (partition && !sorted) {
    for (let i = 1; i < x.length; i++) if ((x[i] as number) < (x[i - 1] as number)) splits.push(i)
  }
  if (sorted) {
    for (const mark of data.marks) {
      if (mark.kind !== 'gap' || mark.key !== line.key || mark.to === undefined) continue
      const at = firstAtLeast(x, mark.to)
      if (at > 0 && at < x.length) splits.push(at)
    }
  }
  const isFinite = trace.kind === 'points' ? areFinite(trace.y) : !trace.flags.some((flags) => flags !== 0)
  return { line, x, raw, main: smoothed ?? raw, isSorted: sorted, isFinite, splits: splits.sort((a, b) => a - b) }
}

function areFinite(values: Numbers): boolean {
  for (let i = 0; i < values.length; i++) if ((values[i] as number) - (values[i] as number) !== 0) return false
  return true
}

/** The entries that have to do with a range of x, with one more on each side; all of them if x is not sorted. */
export function placesIn(curve: Curve, range: Range): Places {
  if (!curve.isSorted) return [0, curve.x.length]
  const first = curve.line.data.kind === 'points' ? curve.x : curve.line.data.xFirst
  const from = firstAtLeast(curve.x, range[0])
  let to = firstAtLeast(first, range[1])
  while (to < first.length && first[to] === range[1]) to++
  return [Math.max(0, from - 1), Math.min(curve.x.length, to + 1)]
}
