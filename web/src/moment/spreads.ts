// How much the spread of every histogram changed, as places on one logarithmic axis.
import type { MomentItem, Spread } from '../api/moment'

export interface Layer {
  readonly item: MomentItem
  /** After over before; null if one of them is not known or zero. */
  readonly ratio: number | null
  /** How far it changed, whichever way. */
  readonly size: number
  /** In per cent of the axis; null where there is none. */
  readonly before: number | null
  readonly after: number | null
  /** The ends of the bar between them. */
  readonly from: number
  readonly to: number
}

const MARGIN = 4
const LEAST_DECADES = 1

/** In the order of the items; `spreads` has two for each of them, before and after. */
export function layerRows(items: readonly MomentItem[], spreads: readonly Spread[]): readonly Layer[] {
  if (spreads.length !== 2 * items.length) return []
  const logs = spreads.map(({ std }) => (std !== null && std > 0 ? Math.log10(std) : null))
  const known = logs.filter((log) => log !== null)
  let [low, high] = [Math.min(...known), Math.max(...known)]
  // Small changes must not look like large ones.
  if (high - low < LEAST_DECADES) {
    const middle = (low + high) / 2
    ;[low, high] = [middle - LEAST_DECADES / 2, middle + LEAST_DECADES / 2]
  }
  const place = (log: number | null | undefined): number | null => {
    if (log === null || log === undefined) return null
    return MARGIN + ((log - low) / (high - low)) * (100 - 2 * MARGIN)
  }
  return items.map((item, at) => {
    const hasBefore = item.referenceAddress !== null
    const then = hasBefore ? (logs[2 * at] ?? null) : null
    const now = logs[2 * at + 1] ?? null
    const [before, after] = [place(then), place(now)]
    const ratio = then === null || now === null ? null : 10 ** (now - then)
    const [from, to] = before === null || after === null ? [0, 0] : [Math.min(before, after), Math.max(before, after)]
    return { item, ratio, size: then === null || now === null ? -1 : Math.abs(now - then), before, after, from, to }
  })
}
