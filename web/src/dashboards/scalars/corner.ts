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

export function inkMap(lines: readonly Line[], bands: readonly Band[], x: readonly [ScaleKind, Range], y: readonly [ScaleKind, Range]): InkMap {
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
    for (let column = Math.max(0, Math.floor(box.left * ACROSS)); column < Math.min(ACROSS, Math.ceil(box.right * ACROSS)); column++) {
      sum += map[row * ACROSS + column] ?? 0
    }
  }
  return sum
}

/** The corner where a box of this size covers least and not the pointer; null when it fits nowhere. */
export function emptiest(map: InkMap, width: number, height: number, pointer: readonly [x: number, y: number]): Corner | null {
  if (width > 0.75 || height > 0.9) return null
  let best: Corner | null = null
  let least = Infinity
  for (const corner of CORNERS) {
    const box = cornerBox(corner, width, height)
    if (holds(box, pointer)) continue
    const ink = inkUnder(map, box)
    if (ink < least) [best, least] = [corner, ink]
  }
  return best
}

const AIR = 0.02

export function holds(box: Box, [x, y]: readonly [x: number, y: number]): boolean {
  return x >= box.left - AIR && x <= box.right + AIR && y >= box.top - AIR && y <= box.bottom + AIR
}
