// From values to pixels and back, on linear, logarithmic and symmetric logarithmic axes.
import type { Numbers, Range } from '../../lib/numbers'

export type ScaleKind = 'linear' | 'log' | 'symlog'

/** Pixels beyond which it no longer matters how far away a point is; rasterisers lose their way much further out. */
const FAR = 16000
/** Used as the logarithm of what has none: below that of every positive number. */
const NO_LOG = -400

export function transform(kind: ScaleKind, value: number, knee: number): number {
  if (kind === 'linear') return value
  if (kind === 'log') return value > 0 ? Math.log10(value) : NO_LOG
  return Math.sign(value) * Math.log10(1 + Math.abs(value) / knee)
}

export function untransform(kind: ScaleKind, value: number, knee: number): number {
  if (kind === 'linear') return value
  if (kind === 'log') return 10 ** value
  return Math.sign(value) * knee * (10 ** Math.abs(value) - 1)
}

export class Scale {
  readonly kind: ScaleKind
  readonly domain: Range
  /** Below it (in size) a symlog axis is nearly linear. */
  readonly knee: number
  readonly from: number
  readonly to: number
  readonly #factor: number
  readonly #shift: number

  /** `from` and `to` are the pixels of the ends of the domain. */
  constructor(kind: ScaleKind, domain: Range, from: number, to: number, knee = 1) {
    this.kind = kind
    this.domain = domain
    this.knee = knee
    this.from = from
    this.to = to
    const start = transform(kind, domain[0], knee)
    const span = transform(kind, domain[1], knee) - start
    this.#factor = span === 0 ? 0 : (to - from) / span
    this.#shift = span === 0 ? (from + to) / 2 : from - start * this.#factor
  }

  /** Pixel of a value; NaN for values that are not finite. */
  at(value: number): number {
    if (!Number.isFinite(value)) return NaN
    const pixel = this.#factor * transform(this.kind, value, this.knee) + this.#shift
    return Math.max(-FAR, Math.min(FAR, pixel))
  }

  value(pixel: number): number {
    if (this.#factor === 0) return this.domain[0]
    return untransform(this.kind, (pixel - this.#shift) / this.#factor, this.knee)
  }

  /** Writes the pixels of `values[from..to)` to `out`, beginning at `at`. */
  project(values: Numbers, from: number, to: number, out: Float64Array, at: number): void {
    if (this.kind !== 'linear') {
      for (let i = from; i < to; i++) out[at++] = this.at(values[i] as number)
      return
    }
    const factor = this.#factor
    const shift = this.#shift
    for (let i = from; i < to; i++) {
      const pixel = factor * (values[i] as number) + shift
      if (pixel > -FAR && pixel < FAR) out[at++] = pixel
      else out[at++] = this.at(values[i] as number)
    }
  }
}

/** The domain that is `factor` times as wide as what is shown, with the value under `pixel` staying there. */
export function zoomed(scale: Scale, pixel: number, factor: number): Range {
  return span(scale.value(pixel + (scale.from - pixel) * factor), scale.value(pixel + (scale.to - pixel) * factor))
}

/** The domain that is seen when the paper is moved by so many pixels. */
export function panned(scale: Scale, pixels: number): Range {
  return span(scale.value(scale.from - pixels), scale.value(scale.to - pixels))
}

function span(a: number, b: number): Range {
  return a < b ? [a, b] : [b, a]
}
