// TensorBoard's smoothing, for lines of which every point is there: the numbers that the server would send, without asking for them.
import type { Numbers } from './numbers'

const LEAST_ROOM = 64

/** The weight of the past in `ema:0.6`; null for other smoothing, and for none. */
export function emaWeight(smoothing: string): number | null {
  const text = /^ema:(\d+(?:\.\d*)?|\.\d+)$/.exec(smoothing)?.[1]
  const weight = text === undefined ? NaN : Number(text)
  return weight >= 0 && weight <= 1 ? weight : null
}

/** The debiased exponential moving average of a line that may grow. */
export class Ema {
  readonly #weight: number
  #out = new Float64Array(0)
  /** Points so far, and how many of them count. */
  #length = 0
  #count = 0
  #last = 0
  /** A line of equal values is left as it is. */
  #isConstant = true
  /** Whether 1 − wⁿ has become 1, and stays it. */
  #isSettled: boolean

  constructor(weight: number) {
    this.#weight = weight
    this.#isSettled = weight === 1
  }

  /** `y` smoothed. It must begin with what it was the last time: only what came behind is computed. */
  of(y: Numbers): Numbers {
    if (this.#isConstant && isConstant(y, this.#length)) {
      this.#length = y.length
      return y
    }
    if (this.#isConstant) this.#length = 0
    this.#isConstant = false
    this.#makeRoom(y.length)
    this.#go(y)
    return this.#out.subarray(0, y.length)
  }

  #makeRoom(length: number): void {
    if (length <= this.#out.length) return
    // Most lines never grow: only one that did gets room to spare.
    const room = new Float64Array(this.#length === 0 ? length : Math.max(LEAST_ROOM, 2 * length))
    room.set(this.#out.subarray(0, this.#length))
    this.#out = room
  }

  #go(y: Numbers): void {
    const [weight, rest, factors, out] = [this.#weight, 1 - this.#weight, factorsOf(this.#weight), this.#out]
    let last = this.#last
    for (let n = this.#length; n < y.length; n++) {
      const value = y[n] ?? NaN
      // What is not finite stays as it is, and does not count.
      if (!Number.isFinite(value)) {
        out[n] = value
        continue
      }
      last = last * weight + rest * value
      out[n] = this.#isSettled ? last : last / this.#factor(factors)
    }
    this.#last = last
    this.#length = y.length
  }

  #factor(factors: number[]): number {
    const factor = (factors[this.#count] ??= 1 - this.#weight ** (this.#count + 1))
    this.#count++
    this.#isSettled = factor === 1
    return factor
  }
}

function isConstant(y: Numbers, from: number): boolean {
  for (let n = from; n < y.length; n++) if (y[n] !== y[0]) return false
  return true
}

// 1 − wⁿ for n from 1 on. Powers are slow, and the next line mostly has the same weight.
let factors: { readonly weight: number; readonly all: number[] } = { weight: NaN, all: [] }

function factorsOf(weight: number): number[] {
  if (factors.weight !== weight) factors = { weight, all: [] }
  return factors.all
}
