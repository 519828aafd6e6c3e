// A line as small as a word: where a run went, without axes.
import type { Numbers, Range } from './numbers'
import type { Trace } from './traces'

export interface Sparkline {
  /** For the `d` of an SVG path; empty if there is nothing finite. */
  readonly path: string
  /** Where it ends. */
  readonly end: readonly [x: number, y: number] | null
}

const NOTHING: Sparkline = { path: '', end: null }

/** In a box of `width` by `height`, over all of `xRange`, between its own min and max. */
export function sparkline(trace: Trace, xRange: Range, width: number, height: number): Sparkline {
  const [xs, ys] = middle(trace)
  const bins = Math.max(1, Math.round(width))
  const sums = new Float64Array(bins)
  const counts = new Uint32Array(bins)
  const scale = xRange[1] > xRange[0] ? (bins - 1) / (xRange[1] - xRange[0]) : 0
  for (let at = 0; at < xs.length; at++) {
    const y = ys[at] ?? NaN
    const bin = Math.round(((xs[at] ?? NaN) - xRange[0]) * scale)
    if (!Number.isFinite(y) || !(bin >= 0 && bin < bins)) continue
    sums[bin] = (sums[bin] ?? 0) + y
    counts[bin] = (counts[bin] ?? 0) + 1
  }
  return drawn(sums, counts, width, height)
}

function drawn(sums: Float64Array, counts: Uint32Array, width: number, height: number): Sparkline {
  const means = sums.map((sum, at) => sum / (counts[at] ?? 0))
  let [low, high] = [Infinity, -Infinity]
  for (const mean of means) {
    if (Number.isNaN(mean)) continue
    low = Math.min(low, mean)
    high = Math.max(high, mean)
  }
  if (low > high) return NOTHING
  const step = means.length > 1 ? width / (means.length - 1) : 0
  const points: (readonly [number, number])[] = []
  means.forEach((mean, at) => {
    if (!Number.isNaN(mean))
      points.push([at * step, high === low ? height / 2 : (height * (high - mean)) / (high - low)])
  })
  const path = `M${points.map(([x, y]) => `${x.toFixed(1)} ${y.toFixed(1)}`).join('L')}`
  return { path, end: points.at(-1) ?? null }
}

/** One x and y for each entry: the smoothed ones where there are some. */
function middle(trace: Trace): readonly [Numbers, Numbers] {
  if (trace.kind === 'points') return [trace.x, trace.smoothed ?? trace.y]
  return [trace.xLast, (trace.smoothed ?? trace.raw).last]
}
