// The figures of lines and bands at a chosen step, and over a chosen range.
import type { Numbers, Range } from '../../lib/numbers'
import type { Neighbour, Trace } from '../../lib/traces'

export interface Measured {
  readonly data: Trace
  readonly before: Neighbour | null
  readonly after: Neighbour | null
}

/** A point of a line. */
export interface Point {
  readonly x: number
  readonly value: number
  readonly smoothed: number | null
}

export interface RangeFigures {
  readonly start: Point
  readonly end: Point
  readonly min: number
  readonly minX: number
  readonly max: number
  readonly maxX: number
  readonly mean: number
  /** Whether the mean is of every point, not of pixel columns. */
  readonly isExact: boolean
  readonly change: number
  /** Part of the start value. */
  readonly share: number
  /** Least squares, per unit of x. */
  readonly slope: number
  readonly points: number
}

/** The point nearest to `x`; the first one if two are as near. Null when there is none. */
export function nearestPoint(line: Measured, x: number): Point | null {
  let nearest: Point | null = null
  const offer = (point: Point): void => {
    if (nearest === null || Math.abs(point.x - x) < Math.abs(nearest.x - x)) nearest = point
  }
  if (line.before) offer(neighbour(line.before))
  const { data } = line
  if (data.kind === 'points') {
    const at = nearestAt(data.x, x)
    if (at >= 0) offer(pointAt(data.x, data.y, data.smoothed, at))
  } else {
    const first = nearestAt(data.xFirst, x)
    if (first >= 0) offer(pointAt(data.xFirst, data.raw.first, data.smoothed?.first ?? null, first))
    const last = nearestAt(data.xLast, x)
    if (last >= 0) offer(pointAt(data.xLast, data.raw.last, data.smoothed?.last ?? null, last))
  }
  if (line.after) offer(neighbour(line.after))
  return nearest
}

/** Null when the line has no finite value in the range. */
export function rangeFigures(line: Measured, [from, to]: Range): RangeFigures | null {
  const start = nearestPoint(line, from)
  const end = nearestPoint(line, to)
  if (start === null || end === null) return null
  const { data } = line
  const isExact = data.kind === 'points'
  const [xs, least, greatest] = isExact ? [data.x, data.y, data.y] : [data.xFirst, data.raw.min, data.raw.max]
  const sums = new Sums()
  let [min, minX, max, maxX] = [Infinity, NaN, -Infinity, NaN]
  for (let at = 0; at < xs.length; at++) {
    const x = xs[at] ?? NaN
    const low = least[at] ?? NaN
    const high = greatest[at] ?? NaN
    if (x < from || x > to || !Number.isFinite(low) || !Number.isFinite(high)) continue
    if (low < min) [min, minX] = [low, x]
    if (high > max) [max, maxX] = [high, x]
    sums.add(x, (low + high) / 2, isExact ? 1 : (data.count[at] ?? 1))
  }
  if (sums.weight === 0) return null
  const change = end.value - start.value
  return {
    start,
    end,
    min,
    minX,
    max,
    maxX,
    mean: sums.mean,
    isExact,
    change,
    share: change / Math.abs(start.value),
    slope: sums.slope,
    points: sums.weight,
  }
}

/** Weighted mean and slope, without the loss that large x and small y would have. */
class Sums {
  weight = 0
  mean = 0
  #meanX = 0
  #xx = 0
  #xy = 0

  add(x: number, y: number, weight: number): void {
    this.weight += weight
    const dx = x - this.#meanX
    this.#meanX += (dx * weight) / this.weight
    this.mean += ((y - this.mean) * weight) / this.weight
    this.#xx += weight * dx * (x - this.#meanX)
    this.#xy += weight * dx * (y - this.mean)
  }

  get slope(): number {
    return this.#xx === 0 ? NaN : this.#xy / this.#xx
  }
}

function neighbour([x, value, smoothed]: Neighbour): Point {
  return { x, value, smoothed }
}

function pointAt(x: Numbers, y: Numbers, smoothed: Numbers | null, at: number): Point {
  return { x: x[at] ?? NaN, value: y[at] ?? NaN, smoothed: smoothed?.[at] ?? null }
}

/** Not a binary search: x may jump back. */
function nearestAt(xs: Numbers, x: number): number {
  let nearest = -1
  let distance = Infinity
  for (let at = 0; at < xs.length; at++) {
    const here = Math.abs((xs[at] ?? NaN) - x)
    if (here < distance) {
      distance = here
      nearest = at
    }
  }
  return nearest
}
