// Ends of an axis as people type them.
import type { Range } from '../../lib/numbers'

export interface RangeFields {
  from: string
  to: string
}

export function rangeFields(range: Range | null): RangeFields {
  return range === null ? { from: '', to: '' } : { from: short(range[0]), to: short(range[1]) }
}

/** Six digits are enough to begin with. */
function short(number: number): string {
  return String(Number(number.toPrecision(6)))
}

const FACTORS: Readonly<Record<string, number>> = {
  k: 1e3,
  M: 1e6,
  G: 1e9,
  T: 1e12,
  m: 1e-3,
  µ: 1e-6,
  u: 1e-6,
  n: 1e-9,
}

/** `12,000`, `12k`, `1e-3`, `100µ`; NaN for what is no number. */
export function readNumber(text: string): number {
  const plain = text.trim().replaceAll(',', '').replace('\u2212', '-')
  const factor = FACTORS[plain.slice(-1)]
  if (factor === undefined) return plain === '' ? NaN : Number(plain)
  const number = plain.slice(0, -1).trim()
  return number === '' ? NaN : Number(number) * factor
}

/** Both empty is everything. */
export function readRange({ from, to }: RangeFields): { range: Range | null; trouble: string | null } {
  if (from.trim() === '' && to.trim() === '') return { range: null, trouble: null }
  const [first, last] = [readNumber(from), readNumber(to)]
  if (!Number.isFinite(first) || !Number.isFinite(last)) return { range: null, trouble: 'Both limits must be numbers.' }
  if (first >= last) return { range: null, trouble: 'Min must be below max.' }
  return { range: [first, last], trouble: null }
}
