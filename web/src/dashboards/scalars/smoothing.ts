// Smoothing as the server takes it (`ema:0.6`), and as a method with a slider.

export type Method = 'none' | 'ema' | 'twema' | 'mean' | 'median' | 'gaussian'

export interface Smoothing {
  readonly method: Method
  readonly amount: number
}

/** How a method's slider goes. */
export interface Scale {
  readonly title: string
  readonly what: string
  readonly min: number
  /** The end of the slider, as TensorBoard has it; the box takes more. */
  readonly sliderMax: number
  readonly max: number
  readonly step: number
  readonly usual: number
}

export const SCALES: Readonly<Record<Exclude<Method, 'none'>, Scale>> = {
  ema: {
    title: 'Exponential',
    what: 'weight',
    min: 0,
    sliderMax: 0.99,
    max: 0.999,
    step: 0.01,
    usual: 0.6,
  },
  twema: {
    title: 'Time-weighted exponential',
    what: 'weight',
    min: 0,
    sliderMax: 0.99,
    max: 0.999,
    step: 0.01,
    usual: 0.6,
  },
  mean: { title: 'Moving average', what: 'points', min: 1, sliderMax: 201, max: 100_001, step: 2, usual: 21 },
  median: { title: 'Moving median', what: 'points', min: 1, sliderMax: 201, max: 10_001, step: 2, usual: 21 },
  gaussian: {
    title: 'Gaussian',
    what: 'standard deviation (points)',
    min: 0,
    sliderMax: 100,
    max: 10_000,
    step: 1,
    usual: 10,
  },
}

const NONE: Smoothing = { method: 'none', amount: 0 }

/** What cannot be read smooths nothing. */
export function parseSmoothing(text: string): Smoothing {
  const [method = '', amount = ''] = text.split(':')
  if (!isMethod(method) || amount.trim() === '') return NONE
  const value = Number(amount)
  return Number.isFinite(value) ? { method, amount: clamp(method, value) } : NONE
}

/** An amount that changes nothing is `none`, so that nothing is computed or sent for it. */
export function formatSmoothing({ method, amount }: Smoothing): string {
  if (method === 'none' || amount <= SCALES[method].min) return 'none'
  return `${method}:${String(clamp(method, amount))}`
}

/** The nearest amount that the method takes. */
export function clamp(method: Exclude<Method, 'none'>, amount: number): number {
  const { min, max } = SCALES[method]
  return Math.min(Math.max(amount, min), max)
}

function isMethod(method: string): method is Exclude<Method, 'none'> {
  return Object.hasOwn(SCALES, method)
}
