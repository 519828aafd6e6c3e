// Where a tooltip covers least: in the emptiest corner of its plot, or beside it where no other chart is.
import type { Numbers } from '../../lib/numbers'
import type { Scale } from '../plot/scale'
import type { Box } from '../plot/types'

export type Corner = 'top-right' | 'top-left' | 'bottom-right' | 'bottom-left'
export const CORNERS: readonly Corner[] = ['top-right', 'top-left', 'bottom-right', 'bottom-left']

const ACROSS = 24
const DOWN = 16
const SAMPLES = 160
const MOST_DRAWN = 60

/** How much is drawn in each part of the plot. */
export type InkMap = Uint16Array

/** The values along something that is drawn. */
export interface Drawn {
  readonly x: Numbers
  readonly y: Numbers
}

/** Where things are drawn on a plot with these axes. */
export function inkMap(drawn: readonly Drawn[], x: Scale, y: Scale): InkMap {
  const map = new Uint16Array(ACROSS * DOWN)
  for (const one of drawn.slice(0, MOST_DRAWN)) {
    const stride = Math.max(1, Math.floor(one.x.length / SAMPLES))
    for (let at = 0; at < one.x.length; at += stride) {
      const column = Math.floor(part(x, one.x[at] ?? NaN) * ACROSS)
      const row = Math.floor((1 - part(y, one.y[at] ?? NaN)) * DOWN)
      if (!(column >= 0 && column < ACROSS && row >= 0 && row < DOWN)) continue
      const cell = row * ACROSS + column
      map[cell] = (map[cell] ?? 0) + 1
    }
  }
  return map
}

/** Where a value is on an axis: 0 at its beginning, 1 at its end. */
function part(scale: Scale, value: number): number {
  return (scale.at(value) - scale.from) / (scale.to - scale.from)
}

/** In parts of the plot: 0 to 1 across and down. */
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
/** Above it are the title and the actions of its card. */
const TITLE = 36

export type Side = 'right' | 'left' | 'below' | 'above'
const SIDES: readonly Side[] = ['right', 'left', 'below', 'above']

/** The side of a plot on which a box of this size covers least of the plot itself and of other charts, all in pixels of the window. */
export function freestSide(plot: Box, size: Size, window: Size, others: readonly Box[]): Side {
  let best: Side = 'below'
  let least = Infinity
  for (const side of SIDES) {
    const [left, top] = beside(plot, side, size, window)
    const box = { left, top, right: left + size.width, bottom: top + size.height }
    // The chart that is pointed at matters most.
    const covered = others.reduce((sum, other) => sum + overlap(box, other), 4 * overlap(box, plot))
    if (covered < least) [best, least] = [side, covered]
  }
  return best
}

/** Left and top edge of a box at a side of the plot, moved into the window. */
export function beside(plot: Box, side: Side, { width, height }: Size, window: Size): [left: number, top: number] {
  const left = {
    right: plot.right + 3 * EDGE,
    left: plot.left - AXIS_Y - width,
    below: plot.left,
    above: plot.left,
  }[side]
  const top = {
    right: plot.top,
    left: plot.top,
    below: plot.bottom + AXIS_X,
    above: plot.top - TITLE - height,
  }[side]
  return [
    Math.max(EDGE, Math.min(left, window.width - width - EDGE)),
    Math.max(EDGE, Math.min(top, window.height - height - EDGE)),
  ]
}

function overlap(one: Box, other: Box): number {
  const width = Math.min(one.right, other.right) - Math.max(one.left, other.left)
  const height = Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top)
  return width > 0 && height > 0 ? width * height : 0
}
