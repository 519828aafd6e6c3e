// The range of y when outliers are ignored: most values, most of every line, and every line's best value.
import type { Numbers, Range } from '../../lib/numbers'
import type { Trace } from '../../lib/traces'
import { transform, untransform } from '../plot/scale'
import type { ScaleKind } from './types'

/** The part of a line's points that is shown at least. */
const MOST = 0.75
/** An end that clips less than this part of the range clips nothing. */
const SMALL = 0.5
/** What is clipped more often than this, and than once for every fourth line, is not an outlier but the shape of the data. */
const FEW_EXITS = 4
/** To show such spikes, the range grows up to this many times its size. */
const MOST_GROWTH = 12
const GROWTH = 1.5

/** The values of a line or band in the shown range of x. */
export interface Stretch {
  readonly values: Numbers
  /** What is drawn of them where they are pixel columns of many points. */
  readonly low?: Numbers
  readonly high?: Numbers
  readonly from: number
  readonly to: number
  /** The best one as logged, which a ring is drawn around; NaN if there is none. */
  readonly best: number
}

/**
 * Widens `core`, the range without the outermost values of all lines together, where it would hide too much.
 * `full` is the range of everything that is drawn, best values included.
 */
export function withoutOutliers(
  core: Range,
  full: Range,
  stretches: readonly Stretch[],
  kind: ScaleKind,
  knee: number,
): Range {
  const bend = (value: number): number => transform(kind, value, knee)
  const unbend = (value: number): number => untransform(kind, value, knee)
  let [low, high] = core
  for (const stretch of stretches) {
    for (const value of [...mostOf(stretch, [low, high], kind, bend), stretch.best]) {
      if (!isOnAxis(value, kind)) continue
      low = Math.min(low, value)
      high = Math.max(high, value)
    }
  }
  const limit = Math.max(FEW_EXITS, stretches.length / 4)
  const [from, to] = [bend(low), bend(high)]
  const [furthestDown, furthestUp] = [bend(full[0]), bend(full[1])]
  const top = spikeEnd(to, furthestUp, to - from, limit, (level) => exits(stretches, unbend(level), 1))
  const bottom = -spikeEnd(-from, -furthestDown, to - from, limit, (level) => exits(stretches, unbend(-level), -1))
  const slack = SMALL * (top - bottom)
  return [
    bottom - furthestDown <= slack ? full[0] : bottom === from ? low : unbend(bottom),
    furthestUp - top <= slack ? full[1] : top === to ? high : unbend(top),
  ]
}

function isOnAxis(value: number, kind: ScaleKind): boolean {
  return Number.isFinite(value) && (kind !== 'log' || value > 0)
}

/** Where most of a line's values are, as near to `range` as can be; empty if they are inside. */
function mostOf(
  { values, from, to }: Stretch,
  [low, high]: Range,
  kind: ScaleKind,
  bend: (value: number) => number,
): readonly number[] {
  let count = 0
  let inside = 0
  for (let i = from; i < to; i++) {
    const value = values[i] as number
    if (!isOnAxis(value, kind)) continue
    count++
    if (value >= low && value <= high) inside++
  }
  const needed = Math.ceil(MOST * count)
  if (count === 0 || inside >= needed) return []
  const sorted = Float64Array.from(values.subarray(from, to))
    .filter((value) => isOnAxis(value, kind))
    .sort()
  let best: readonly [number, number] = [sorted[0] as number, sorted[needed - 1] as number]
  let least = Infinity
  for (let i = 0; i + needed <= count; i++) {
    const ends = [sorted[i] as number, sorted[i + needed - 1] as number] as const
    const cost = Math.max(0, bend(low) - bend(ends[0])) + Math.max(0, bend(ends[1]) - bend(high))
    if (cost < least) [best, least] = [ends, cost]
  }
  return best
}

/** The best finite value of some entries; NaN if there is none or it is not known what is better. */
export function bestOf(data: Trace, from: number, to: number, better: 'lower' | 'higher' | null): number {
  if (better === null) return NaN
  const sign = better === 'lower' ? -1 : 1
  const values = data.kind === 'points' ? data.y : better === 'lower' ? data.raw.min : data.raw.max
  let best = NaN
  for (let i = from; i < to; i++) {
    const value = values[i] as number
    if (Number.isFinite(value) && !(sign * value <= sign * best)) best = value
  }
  return best
}

/** From `end` outwards until few strokes leave the range there. All ends are turned so that outwards is up. */
function spikeEnd(
  end: number,
  furthest: number,
  span: number,
  limit: number,
  exitsAt: (level: number) => number,
): number {
  let level = end
  for (let grown = 1; level < furthest && exitsAt(level) > limit; grown *= GROWTH) {
    if (grown > MOST_GROWTH || !(span > 0)) break
    level = Math.min(furthest, end + span * (grown * GROWTH - 1))
  }
  return level
}

/** How often lines leave the range through this end. */
function exits(stretches: readonly Stretch[], level: number, sign: 1 | -1): number {
  let count = 0
  for (const { values: points, low = points, high = points, from, to } of stretches) {
    const values = sign > 0 ? high : low
    let wasInside = false
    for (let i = from; i < to; i++) {
      const value = values[i] as number
      if (value !== value) continue
      const isInside = sign * value <= sign * level
      if (wasInside && !isInside) count++
      wasInside = isInside
    }
  }
  return count
}
