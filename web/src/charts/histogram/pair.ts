// Two histograms on the same axes, before and after, as outlines of steps.
import type { Numbers, Range } from '../../lib/numbers'

export interface Buckets {
  readonly left: Numbers
  readonly right: Numbers
  readonly count: Numbers
}

/** The same values in bins of equal width, so that two histograms with other edges can be compared. */
export interface Binned {
  readonly domain: Range
  readonly before: Float64Array
  readonly after: Float64Array
}

export interface PairTheme {
  readonly ink: string
  readonly colour: string
  readonly rule: string
}

/** Null when neither has a value. */
export function binned(before: Buckets | null, after: Buckets | null, bins: number): Binned | null {
  const ranges = [before, after].flatMap((one) => (one === null ? [] : [extent(one)])).filter((one) => one !== null)
  if (ranges.length === 0) return null
  let low = Math.min(...ranges.map(([from]) => from))
  let high = Math.max(...ranges.map(([, to]) => to))
  if (low === high) [low, high] = [low - (Math.abs(low) || 1) / 2, high + (Math.abs(high) || 1) / 2]
  const domain: Range = [low, high]
  return { domain, before: spread(before, domain, bins), after: spread(after, domain, bins) }
}

/** From the first bucket that is not empty to the last. */
function extent({ left, right, count }: Buckets): Range | null {
  let [low, high] = [Infinity, -Infinity]
  for (let at = 0; at < count.length; at++) {
    const [from, to] = [left[at] ?? NaN, right[at] ?? NaN]
    if (!((count[at] ?? 0) > 0) || !Number.isFinite(from) || !Number.isFinite(to)) continue
    low = Math.min(low, from)
    high = Math.max(high, to)
  }
  return low <= high ? [low, high] : null
}

/** Each bucket evenly spread over the bins that it reaches into. */
function spread(buckets: Buckets | null, [low, high]: Range, bins: number): Float64Array {
  const found = new Float64Array(bins)
  if (buckets === null) return found
  const scale = bins / (high - low)
  const { left, right, count } = buckets
  for (let at = 0; at < count.length; at++) {
    const [from, to, total] = [left[at] ?? NaN, right[at] ?? NaN, count[at] ?? 0]
    if (!(total > 0) || !Number.isFinite(from) || !Number.isFinite(to)) continue
    const [start, stop] = [(from - low) * scale, (to - low) * scale]
    const width = stop - start
    const [first, last] = [clamp(Math.floor(start), bins), clamp(Math.ceil(stop) - 1, bins)]
    for (let bin = first; bin <= Math.max(first, last); bin++) {
      const share = width > 0 ? (Math.min(stop, bin + 1) - Math.max(start, bin)) / width : 1
      found[bin] = (found[bin] ?? 0) + total * Math.max(0, share)
    }
  }
  return found
}

function clamp(bin: number, bins: number): number {
  return Math.max(0, Math.min(bins - 1, bin))
}

/** After in colour and filled, before as an outline over it. */
export function paintPair(
  context: CanvasRenderingContext2D,
  { before, after }: Binned,
  size: { readonly width: number; readonly height: number },
  isLog: boolean,
  theme: PairTheme,
): void {
  const { width, height } = size
  const of = (count: number): number => (isLog ? Math.log10(1 + count) : count)
  const top = Math.max(...before, ...after, 0)
  const y = (count: number): number => height - 1 - (top > 0 ? of(count) / of(top) : 0) * (height - 4)
  context.clearRect(0, 0, width, height)
  outline(context, after, width, height, y)
  context.globalAlpha = 0.2
  context.fillStyle = theme.colour
  context.fill()
  context.globalAlpha = 1
  for (const [counts, colour] of [
    [after, theme.colour],
    [before, theme.ink],
  ] as const) {
    outline(context, counts, width, height, y)
    context.strokeStyle = colour
    context.lineWidth = 1.25
    context.stroke()
  }
  context.strokeStyle = theme.rule
  context.beginPath()
  context.moveTo(0, height - 0.5)
  context.lineTo(width, height - 0.5)
  context.stroke()
}

function outline(
  context: CanvasRenderingContext2D,
  counts: Float64Array,
  width: number,
  height: number,
  y: (count: number) => number,
): void {
  const step = width / counts.length
  context.beginPath()
  context.moveTo(0, height)
  counts.forEach((count, bin) => {
    context.lineTo(bin * step, y(count))
    context.lineTo((bin + 1) * step, y(count))
  })
  context.lineTo(width, height)
}
