// A tensor in words: its type, shape and statistics, and its values as cells of a table.
import type { TensorInfo, TensorStatistics, TensorValues } from '../../api/tensors'
import { count, counted } from '../../lib/format'
import { value as numeral } from '../../lib/numerals'

/** `float32 3×4, min −1.5, max 7, mean 0.25, std 1.75, 1 NaN`; a tensor of rank 0 is a `scalar`. */
export function describe({ dtype, shape, elements, statistics }: TensorInfo): string {
  const size = shape === null || shape.length === 0 ? 'scalar' : shape.join('×')
  const facts = [`${dtype ?? 'unknown type'} ${size}`]
  if (elements === 0) facts.push('no elements')
  if (statistics !== null) {
    for (const name of ['min', 'max', 'mean', 'std'] as const) {
      const fact = statistics[name]
      if (fact !== null) facts.push(`${name} ${numeral(fact)}`)
    }
    if (statistics.nan > 0) facts.push(`${count(statistics.nan)} NaN`)
  }
  return facts.join(', ')
}

/** One value; complex numbers come as pairs. */
export function cell(value: unknown): string {
  if (typeof value === 'number') return numeral(value)
  if (Array.isArray(value)) {
    const [real, imaginary] = value.map((one: unknown) => cell(one))
    return `${real ?? ''} + ${imaginary ?? ''}i`
  }
  return typeof value === 'string' || typeof value === 'boolean' ? String(value) : ''
}

/** Where a value is between the min and the max of its tensor, from 0 to 1, for the shade of its cell; 0 if it is not finite. */
export function share(value: unknown, statistics: TensorStatistics | null): number {
  const { min, max } = statistics ?? { min: null, max: null }
  if (typeof value !== 'number' || min === null || max === null || !(max > min)) return 0
  const part = (value - min) / (max - min)
  return Number.isFinite(part) ? Math.min(1, Math.max(0, part)) : 0
}

/** `rows 0 to 49 of 1,000`; null when the whole slice is shown. */
export function part({ shape, rows, columns }: TensorValues): string | null {
  const [height = 1, width = 1] = shape.length < 2 ? [shape[0], 1] : shape.slice(-2)
  const said = (name: string, [from = 0, to = 0]: readonly number[], size: number): string[] =>
    to - from >= size ? [] : [`${name} ${count(from)} to ${count(to - 1)} of ${counted(size, name.slice(0, -1))}`]
  const parts = [...said('rows', rows, height), ...said('columns', columns, width)]
  return parts.length === 0 ? null : `Shown: ${parts.join(', ')}. The download has every value.`
}
