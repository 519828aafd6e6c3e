// Where a panel goes that belongs to a button or to a point: below it, and wholly in the window.

export interface Box {
  readonly left: number
  readonly top: number
  readonly right: number
  readonly bottom: number
}

const GAP = 4
const EDGE = 8

/** Left and top edge of a panel of this size, beside `anchor`, in a window of that size. */
export function place(
  anchor: Box,
  width: number,
  height: number,
  window: { readonly width: number; readonly height: number },
  align: 'start' | 'end' = 'start',
): { left: number; top: number } {
  const wanted = align === 'start' ? anchor.left : anchor.right - width
  const left = Math.max(EDGE, Math.min(wanted, window.width - width - EDGE))
  const below = anchor.bottom + GAP
  const above = anchor.top - GAP - height
  const fits = below + height <= window.height - EDGE
  const top = fits || above < EDGE ? Math.min(below, window.height - height - EDGE) : above
  return { left, top: Math.max(EDGE, top) }
}
