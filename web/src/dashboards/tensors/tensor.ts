// A tensor in words: its type, shape and statistics, and its values as cells of a table.
import type { TensorInfo, TensorStatistics } from '../../api/tensors'
import { count } from '../../lib/format'
import { value as numeral } from '../../lib/numerals'

const MINUS = '\u2212'

/** `float32 3×4, min −1.5, max 7, mean 0.25, std 1.75, 1 NaN, 2 +∞`; a tensor of rank 0 is a `scalar`. */
export function describe({ dtype, shape, elements, statistics }: TensorInfo): string {
  const size = shape === null || shape.length === 0 ? 'scalar' : shape.join('×')
  const facts = [`${dtype ?? 'unknown type'} ${size}`]
  if (elements === 0) facts.push('no elements')
  if (statistics !== null) {
    for (const name of ['min', 'max', 'mean', 'std'] as const) {
      const fact = statistics[name]
      if (fact !== null) facts.push(`${name} ${numeral(fact)}`)
    }
    for (const [number, name] of [
      [statistics.nan, 'NaN'],
      [statistics.positive_infinities, '+∞'],
      [statistics.negative_infinities, '\u2212∞'],
    ] as const)
      if (number > 0) facts.push(`${count(number)} ${name}`)
  }
  return facts.join(', ')
}

/** One value; complex numbers come as pairs. */
export function cell(value: unknown): string {
  if (typeof value === 'number') return plain(value)
  if (Array.isArray(value)) {
    const [real = '', imaginary = ''] = value.map((one: unknown) => cell(one))
    return imaginary.startsWith(MINUS) ? `${real} ${MINUS} ${imaginary.slice(1)}i` : `${real} + ${imaginary}i`
  }
  return typeof value === 'string' || typeof value === 'boolean' ? String(value) : ''
}

/** Integers in full and others to four figures, without prefixes: cells of a column are read against each other. */
function plain(number: number): string {
  const size = Math.abs(number)
  const isPlain = Number.isInteger(number) || (size >= 1e-4 && size < 1e7)
  const text = Number.isInteger(number)
    ? String(size)
    : isPlain
      ? String(Number(size.toPrecision(4)))
      : size.toExponential(3)
  return number < 0 ? `${MINUS}${text}` : text
}

/** Where a value is between the min and the max of its tensor, from 0 to 1, for the shade of its cell; 0 if it is not finite. */
export function share(value: unknown, statistics: TensorStatistics | null): number {
  const { min, max } = statistics ?? { min: null, max: null }
  const size = sizeOf(value)
  if (size === null || min === null || max === null || !(max > min)) return 0
  const part = (size - min) / (max - min)
  return Number.isFinite(part) ? Math.min(1, Math.max(0, part)) : 0
}

/** What statistics count a value by: complex numbers by their absolute values, truth as 1. */
function sizeOf(value: unknown): number | null {
  if (typeof value === 'number') return value
  if (typeof value === 'boolean') return Number(value)
  if (!Array.isArray(value)) return null
  const [real, imaginary] = value as readonly unknown[]
  return typeof real === 'number' && typeof imaginary === 'number' ? Math.hypot(real, imaginary) : null
}

/** Whether a value is a number that nothing can be done with. */
export function isOdd(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(isOdd)
  return value === 'NaN' || value === 'Infinity' || value === '-Infinity'
}
