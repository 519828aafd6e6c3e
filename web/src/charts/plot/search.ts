// Finding places in columns of numbers.
import type { Numbers } from '../../lib/numbers'

/** The first place in sorted `x` that is not below `value`; the length if all are. */
export function firstAtLeast(x: Numbers, value: number): number {
  let low = 0
  let high = x.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((x[middle] as number) < value) low = middle + 1
    else high = middle
  }
  return low
}

/** The place in sorted `x` that is nearest to `value`; -1 if it is empty. */
export function nearestIndex(x: Numbers, value: number): number {
  const at = firstAtLeast(x, value)
  if (at === 0) return x.length > 0 ? 0 : -1
  if (at === x.length) return at - 1
  return value - (x[at - 1] as number) <= (x[at] as number) - value ? at - 1 : at
}

/** Whether no number is less than the one before it. */
export function isSorted(x: Numbers): boolean {
  for (let i = 1; i < x.length; i++) if ((x[i] as number) < (x[i - 1] as number)) return false
  return true
}
