// What range an axis shows: that of the data, without outliers if so wished, with some air and round ends.
import type { Numbers, Range } from '../../lib/numbers'
import { tickStep } from './ticks'
import { transform, untransform, type ScaleKind } from './scale'

const PADDING = 0.05
const OUTLIERS = 0.05
/** Values that differ by less than this part of them are the same: what adding up in another order makes of a constant. */
const ROUNDING = 1e-12
/** How many decades a symlog axis has on either side of its nearly linear middle. */
const SYMLOG_DECADES = 3

/** Collects values, and gives their range; keeps its memory for the next time. */
export class Extent {
  #values = new Float64Array(4096)
  #length = 0
  #min = Infinity
  #max = -Infinity
  readonly #isPositive: boolean

  /** `kind` log leaves out what has no logarithm. */
  constructor(kind: ScaleKind) {
    this.#isPositive = kind === 'log'
  }

  clear(): this {
    this.#length = 0
    this.#min = Infinity
    this.#max = -Infinity
    return this
  }

  add(values: Numbers, from = 0, to = values.length): this {
    this.#reserve(to - from)
    const kept = this.#values
    const least = this.#isPositive ? 0 : -Infinity
    let length = this.#length
    let min = this.#min
    let max = this.#max
    for (let i = from; i < to; i++) {
      const value = values[i] as number
      if (!(value > least && value < Infinity)) continue
      kept[length++] = value
      if (value < min) min = value
      if (value > max) max = value
    }
    this.#length = length
    this.#min = min
    this.#max = max
    return this
  }

  /** Null without values. As TensorBoard does it, outliers are left out by index, and only of more than two values. */
  range(ignoreOutliers: boolean): Range | null {
    const n = this.#length
    if (n === 0) return null
    if (!ignoreOutliers || n <= 2) return [this.#min, this.#max]
    const values = this.#values.subarray(0, n)
    const low = Math.ceil(OUTLIERS * (n - 1))
    const high = Math.floor((1 - OUTLIERS) * (n - 1))
    return [select(values, low), select(values, high)]
  }

  #reserve(more: number): void {
    const needed = this.#length + more
    if (needed <= this.#values.length) return
    const grown = new Float64Array(Math.max(needed, 2 * this.#values.length))
    grown.set(this.#values.subarray(0, this.#length))
    this.#values = grown
  }
}

/** The value that would be at `index` if `values` were sorted; moves them about. */
export function select(values: Float64Array, index: number): number {
  let left = 0
  let right = values.length - 1
  while (left < right) {
    const pivot = middle(values[left] as number, values[(left + right) >> 1] as number, values[right] as number)
    let i = left
    let j = right
    while (i <= j) {
      while ((values[i] as number) < pivot) i++
      while ((values[j] as number) > pivot) j--
      if (i <= j) {
        const kept = values[i] as number
        values[i] = values[j] as number
        values[j] = kept
        i++
        j--
      }
    }
    if (index <= j) right = j
    else if (index >= i) left = i
    else break
  }
  return values[index] as number
}

function middle(a: number, b: number, c: number): number {
  return Math.max(Math.min(a, b), Math.min(Math.max(a, b), c))
}

/** Round ends with 5 % of air; a single value gets a range that says something about its size. */
export function niceDomain(range: Range | null, kind: ScaleKind, knee: number): Range {
  if (range === null) return kind === 'log' ? [0.1, 10] : [0, 1]
  const [min, max] = isPoint(range) ? [range[1], range[1]] : range
  if (kind !== 'linear') {
    const low = transform(kind, min, knee)
    const high = transform(kind, max, knee)
    const air = high > low ? PADDING * (high - low) : 1
    return [untransform(kind, low - air, knee), untransform(kind, high + air, knee)]
  }
  if (min === max) return min > 0 ? [0, 2 * min] : min < 0 ? [2 * min, 0] : [-1, 1]
  const air = PADDING * (max - min)
  return rounded(min - air, max + air)
}

/** Whether a range is too narrow to be looked into. */
export function isPoint([min, max]: Range): boolean {
  return !(max - min > ROUNDING * Math.max(Math.abs(min), Math.abs(max)))
}

/** Widens to whole ticks. Rounding may make the ticks wider, so it is done until they stay. */
function rounded(min: number, max: number): Range {
  for (let round = 0, last = 0; round < 10; round++) {
    const step = tickStep(max - min, 10)
    if (step === last || !(step > 0)) break
    min = Math.floor(min / step) * step
    max = Math.ceil(max / step) * step
    last = step
  }
  return [min, max]
}

/** The range of x as it is; a single x gets a little room on both sides. */
export function xDomain(range: Range | null, kind: ScaleKind): Range {
  if (range === null) return kind === 'log' ? [1, 10] : [0, 1]
  const [min, max] = range
  if (!isPoint(range)) return range
  return kind === 'log' ? [min / 2, max * 2] : [min - 1, max + 1]
}

/** A power of ten, from the range of the data and not from what is shown, so that panning does not bend the axis. */
export function symlogKnee(range: Range | null): number {
  const size = range === null ? 0 : Math.max(Math.abs(range[0]), Math.abs(range[1]))
  return size > 0 ? 10 ** (Math.ceil(Math.log10(size)) - SYMLOG_DECADES) : 1
}
