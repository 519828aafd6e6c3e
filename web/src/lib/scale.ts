// Values of a column as parts of its range, for ramps and histograms: logarithmic where they span decades.
import type { Range } from './numbers'

// Less than two decades look right on an even scale.
const LOG_SPAN = 100

export interface Scale {
  readonly range: Range
  readonly isLog: boolean
}

/** Over the finite ones; null if there are none. */
export function scaleOf(values: Iterable<number>): Scale | null {
  let [low, high] = [Infinity, -Infinity]
  for (const value of values) {
    if (!Number.isFinite(value)) continue
    low = Math.min(low, value)
    high = Math.max(high, value)
  }
  return low > high ? null : { range: [low, high], isLog: low > 0 && high / low >= LOG_SPAN }
}

/** Where a value is in the range, 0 to 1; the centre if all are equal. */
export function partOf({ range: [low, high], isLog }: Scale, value: number): number {
  if (low === high) return 0.5
  return isLog ? Math.log(value / low) / Math.log(high / low) : (value - low) / (high - low)
}

/** The value at a part of the range. */
export function valueAt({ range: [low, high], isLog }: Scale, part: number): number {
  return isLog ? low * (high / low) ** part : low + (high - low) * part
}

/** How many values are in each of `count` equal parts. */
export function histogram(scale: Scale, values: Iterable<number>, count: number): readonly number[] {
  const bins = new Array<number>(count).fill(0)
  for (const value of values) {
    if (!Number.isFinite(value)) continue
    const bin = Math.min(count - 1, Math.floor(partOf(scale, value) * count))
    bins[bin] = (bins[bin] ?? 0) + 1
  }
  return bins
}
