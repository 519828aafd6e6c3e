// Where in a plot the least is drawn, so that the tooltip covers nothing that matters.
import type { Band, Line, ScaleKind } from '../../charts/line/types'
import type { Numbers, Range } from '../../lib/numbers'

export type Corner = 'top-right' | 'top-left' | 'bottom-right' | 'bottom-left'
export const CORNERS: readonly Corner[] = ['top-right', 'top-left', 'bottom-right', 'bottom-left']

const ACROSS = 24
const DOWN = 16
const SAMPLES = 160
const MOST_LINES = 60

/** How many lines go through each part of the plot. */
export type InkMap = Uint16Array

/** Where a value lies on an axis: 0 at its beginning, 1 at its end. */
function placer(kind: ScaleKind, range: Range): (value: number) => number {
  const bent = (value: number): number => {
    if (kind === 'linear') return value
    return kind === 'log' ? Math.log(value) : Math.sign(value) * Math.log1p(Math.abs(value))
  }
  const from = bent(range[0])
  const span = bent(range[1]) - from
  return (value) => (bent(value) - from) / span
}

export function inkMap(
  lines: readonly Line[],
  bands: readonly Band[],
  x: readonly [ScaleKind, Range],
  y: readonly [ScaleKind, Range],
): InkMap {
  const map = new Uint16Array(ACROSS * DOWN)
  const [atX, atY] = [placer(...x), placer(...y)]
  const draw = (xs: Numbers, ys: Numbers): void => {
    const stride = Math.max(1, Math.floor(xs.length / SAMPLES))
    for (let at = 0; at < xs.length; at += stride) {
      const column = Math.floor(atX(xs[at] ?? NaN) * ACROSS)
      const row = Math.floor((1 - atY(ys[at] ?? NaN)) * DOWN)
      if (column < 0 || column >= ACROSS || row < 0 || row >= DOWN) continue
      const cell = row * ACROSS + column
      map[cell] = (map[cell] ?? 0) + 1
    }
  }
  for (const { data } of lines.slice(0, MOST_LINES)) {
    if (data.kind === 'points') draw(data.x, data.smoothed ?? data.y)
    else draw(data.xFirst, (data.smoothed ?? data.raw).last)
  }
  for (const band of bands) draw(band.x, band.centre)
  return map
}

/** A box in parts of the plot: 0 to 1 across and down. */
export interface Box {
  readonly left: number
  readonly top: number
  readonly right: number
  readonly bottom: number
}

export function cornerBox(corner: Corner, width: number, height: number): Box {
  const left = corner.endsWith('left') ? 0 : 1 - width
  const top = corner.startsWith('top') ? 0 : 1 - height
  return { left, top, right: left + width, bottom: top + height }
}

/** What would be covered. */
export function inkUnder(map: InkMap, box: Box): number {
  let sum = 0
  for (let row = Math.max(0, Math.floor(box.top * DOWN)); row < Math.min(DOWN, Math.ceil(box.bottom * DOWN)); row++) {
    for (
      let column = Math.max(0, Math.floor(box.left * ACROSS));
      column < Math.min(ACROSS, Math.ceil(box.right * ACROSS));
      column++
    ) {
      sum += map[row * ACROSS + column] ?? 0
    }
  }
  return sum
}

/** A place in parts of the plot, and how far around it nothing may be covered. */
export interface Pointed {
  readonly at: readonly [x: number, y: number]
  readonly around: readonly [x: number, y: number]
}

/** The corner where a box of this size covers least and nothing near the pointer; null when it fits nowhere. */
export function emptiest(map: InkMap, width: number, height: number, pointed: Pointed): Corner | null {
  if (width > 0.75 || height > 0.9) return null
  let best: Corner | null = null
  let least = Infinity
  for (const corner of CORNERS) {
    const box = cornerBox(corner, width, height)
    if (holds(box, pointed)) continue
    const ink = inkUnder(map, box)
    if (ink < least) [best, least] = [corner, ink]
  }
  return best
}

export function holds(box: Box, { at: [x, y], around: [across, down] }: Pointed): boolean {
  return x >= box.left - across && x <= box.right + across && y >= box.top - down && y <= box.bottom + down
}

export interface Size {
  readonly width: number
  readonly height: number
}

const EDGE = 4
/** Where the labels of the axes are. */
const AXIS_X = 24
const AXIS_Y = 52

/** Left and top edge of a box beside the plot, all in pixels of the window: below or above it, so that the charts of its row stay in sight, else beside it. */
export function outside(plot: Box, { width, height }: Size, window: Size): [left: number, top: number] {
  const left = Math.max(EDGE, Math.min(plot.left, window.width - width - EDGE))
  if (plot.bottom + AXIS_X + height <= window.height - EDGE) return [left, plot.bottom + AXIS_X]
  if (plot.top - AXIS_X - height >= EDGE) return [left, plot.top - AXIS_X - height]
  const top = Math.max(EDGE, Math.min(plot.top, window.height - height - EDGE))
  const right = plot.right + 3 * EDGE
  if (right + width <= window.width - EDGE) return [right, top]
  return [Math.max(EDGE, plot.left - AXIS_Y - width), top]
}
