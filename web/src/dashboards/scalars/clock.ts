// When each step of a line was written: steps and wall times of the same points, brought together by their place in the series.
import type { Trace } from '../../lib/traces'
import type { XKind } from '../../charts/line/types'

/** Step, seconds since the first point of the line, and seconds since the epoch. */
export interface Moment {
  readonly step: number
  readonly relative: number
  readonly wall: number
}

/** Places in a series and the x of the points there, as far as they are known. */
interface Knots {
  readonly at: Float64Array
  readonly x: Float64Array
}

export class Clock {
  readonly #steps: Knots
  readonly #walls: Knots

  /** The same series over its steps and over wall time, whole. */
  constructor(steps: Trace, walls: Trace) {
    this.#steps = knots(steps)
    this.#walls = knots(walls)
  }

  /** The moment of `x` on an axis; null where an axis knows none. */
  moment(x: number, kind: XKind): Moment | null {
    const first = this.#walls.x[0]
    if (first === undefined || kind === 'value') return null
    if (kind === 'step') {
      const wall = between(this.#walls.at, this.#walls.x, between(this.#steps.x, this.#steps.at, x))
      return { step: x, relative: wall - first, wall }
    }
    const wall = kind === 'date' ? x : first + x
    const step = Math.round(between(this.#steps.at, this.#steps.x, between(this.#walls.x, this.#walls.at, wall)))
    return { step, relative: wall - first, wall }
  }
}

function knots(trace: Trace): Knots {
  if (trace.kind === 'points') return { at: Float64Array.from(trace.x, (_, at) => at), x: Float64Array.from(trace.x) }
  const at = new Float64Array(trace.count.length * 2)
  const x = new Float64Array(trace.count.length * 2)
  let seen = 0
  for (let column = 0; column < trace.count.length; column++) {
    const points = trace.count[column] ?? 1
    at[2 * column] = seen
    x[2 * column] = trace.xFirst[column] ?? NaN
    at[2 * column + 1] = seen + points - 1
    x[2 * column + 1] = trace.xLast[column] ?? NaN
    seen += points
  }
  return { at, x }
}

/** The value at `key` on the line through `keys` and `values`; the nearest end outside of it. */
function between(keys: Float64Array, values: Float64Array, key: number): number {
  let low = 0
  let high = keys.length - 1
  while (low < high) {
    const middle = (low + high) >> 1
    if ((keys[middle] ?? NaN) < key) low = middle + 1
    else high = middle
  }
  const after = keys[low] ?? NaN
  const before = keys[low - 1]
  const value = values[low] ?? NaN
  if (before === undefined || key >= after || after === before) return value
  const start = values[low - 1] ?? NaN
  return start + ((value - start) * (key - before)) / (after - before)
}
