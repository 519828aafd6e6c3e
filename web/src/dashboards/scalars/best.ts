// Which value of a card is the best one.
import type { Direction } from '../../lib/direction'
import type { Numbers, Range } from '../../lib/numbers'
import type { Trace } from '../../lib/traces'

export type Better = Direction

export interface Best {
  readonly key: string
  readonly x: number
  readonly value: number
}

/** The best raw value among the lines, in `range` if there is one; null when none is finite. */
export function bestOf(
  lines: readonly { readonly key: string; readonly data: Trace }[],
  better: Better,
  range: Range | null,
): Best | null {
  let best: Best | null = null
  for (const { key, data } of lines) {
    const values = data.kind === 'points' ? data.y : better === 'lower' ? data.raw.min : data.raw.max
    const xs = data.kind === 'points' ? data.x : data.xFirst
    const at = bestAt(xs, values, better, range)
    const value = values[at]
    if (value === undefined) continue
    if (best === null || (better === 'lower' ? value < best.value : value > best.value)) {
      best = { key, value, x: xs[at] ?? NaN }
    }
  }
  return best
}

/** Where the least or greatest finite number is; -1 if there is none. */
function bestAt(xs: Numbers, values: Numbers, better: Better, range: Range | null): number {
  const [from, to] = range ?? [-Infinity, Infinity]
  let at = -1
  let best = better === 'lower' ? Infinity : -Infinity
  for (let index = 0; index < values.length; index++) {
    const value = values[index] ?? NaN
    const x = xs[index] ?? NaN
    if (x < from || x > to) continue
    if (Number.isFinite(value) && (better === 'lower' ? value < best : value > best)) {
      best = value
      at = index
    }
  }
  return at
}
