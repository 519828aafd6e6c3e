// What is at the cursor: the point of each line that is nearest in x, and which line is nearest on the screen.
import type { Numbers } from '../../lib/numbers'
import type { Curve } from './curves'
import type { Layout } from '../plot/layout'
import { firstAtLeast, nearestIndex } from '../plot/search'
import type { Band, Reading } from './types'

/** A line that ended further from the cursor than this, in pixels, has nothing to say there. */
const BEYOND_END = 8

/** Readings at a value of x; distances from the pixel `py`, or in x only if it is NaN. */
export function readingsAt(
  curves: readonly Curve[],
  bands: readonly Band[],
  layout: Layout,
  x: number,
  py: number,
): Reading[] {
  const px = layout.x.at(x)
  const readings: Reading[] = []
  for (const curve of curves) {
    const i = placeAt(curve, layout, x, px, py)
    if (i < 0) continue
    const y = curve.main[i] as number
    const pointX = curve.x[i] as number
    const { smoothed } = curve.line.data
    readings.push({
      key: curve.line.key,
      x: pointX,
      y: curve.raw[i] as number,
      smoothed: smoothed === null ? null : y,
      distance: distance(layout.x.at(pointX) - px, layout.y.at(y) - py),
    })
  }
  for (const band of bands) {
    const i = nearestIndex(band.x, x)
    if (i < 0 || !isNear(band.x, layout, px)) continue
    const y = band.centre[i] as number
    const pointX = band.x[i] as number
    readings.push({
      key: band.key,
      x: pointX,
      y,
      smoothed: null,
      distance: distance(layout.x.at(pointX) - px, layout.y.at(y) - py),
    })
  }
  return readings
}

function distance(dx: number, dy: number): number {
  if (dy !== dy) return Infinity
  return Math.sqrt(dx * dx + dy * dy)
}

/** The entry of a curve to be read; -1 if it has none near x. */
export function placeAt(curve: Curve, layout: Layout, x: number, px: number, py: number): number {
  if (!curve.isSorted) return nearestOf(curve, layout, px, py)
  return isNear(curve.x, layout, px, curve.line.data.kind === 'columns' ? curve.line.data.xFirst : curve.x)
    ? nearestIndex(curve.x, x)
    : -1
}

function isNear(x: Numbers, layout: Layout, px: number, first = x): boolean {
  if (x.length === 0) return false
  return px >= layout.x.at(first[0] as number) - BEYOND_END && px <= layout.x.at(x.at(-1) as number) + BEYOND_END
}

/** Of all points the nearest on the screen: unsorted x has no order to search by. */
function nearestOf(curve: Curve, layout: Layout, px: number, py: number): number {
  const hasY = py === py
  let best = Infinity
  let place = -1
  for (let i = 0; i < curve.x.length; i++) {
    const dx = layout.x.at(curve.x[i] as number) - px
    const dy = hasY ? layout.y.at(curve.main[i] as number) - py : 0
    const squared = dx * dx + dy * dy
    if (squared < best) {
      best = squared
      place = i
    }
  }
  return hasY || best <= BEYOND_END * BEYOND_END ? place : -1
}

/**
 * The line nearest to a pixel, measured to its strokes and not only to its points; null without lines.
 * The readings bound its distance, so only strokes within that distance are examined.
 */
export function nearestKey(
  curves: readonly Curve[],
  readings: readonly Reading[],
  layout: Layout,
  px: number,
  py: number,
): string | null {
  let bound = Infinity
  let key: string | null = null
  for (const reading of readings) {
    if (reading.distance < bound) {
      bound = reading.distance
      key = reading.key
    }
  }
  const first = curves.find((curve) => curve.line.key === key)
  // The likely one first: the nearer the bound, the less there is to look at.
  if (first?.isSorted === true) bound = strokeDistance(first, layout, px, py, bound)
  for (const curve of curves) {
    if (!curve.isSorted || curve === first) continue
    const found = strokeDistance(curve, layout, px, py, bound)
    if (found < bound) {
      bound = found
      key = curve.line.key
    }
  }
  return key
}

let xs = new Float64Array(1024)
let ys = new Float64Array(1024)

/** Distance to the strokes of a sorted curve if it is below `bound`, otherwise `bound`. */
export function strokeDistance(curve: Curve, layout: Layout, px: number, py: number, bound: number): number {
  const { x, main } = curve
  const from = bound < Infinity ? Math.max(0, firstAtLeast(x, layout.x.value(px - bound)) - 1) : 0
  const to = bound < Infinity ? Math.min(x.length, firstAtLeast(x, layout.x.value(px + bound)) + 1) : x.length
  const count = to - from
  if (count > xs.length) {
    xs = new Float64Array(2 * count)
    ys = new Float64Array(2 * count)
  }
  layout.x.project(x, from, to, xs, 0)
  layout.y.project(main, from, to, ys, 0)
  let best = bound
  let squared = bound * bound
  let lastY = NaN
  for (let i = 0; i < count; i++) {
    const dy = (ys[i] as number) - py
    // Most strokes are above or below, further than the best one so far; NaN is not, and is excluded later.
    if (!((dy > best && lastY > best) || (dy < -best && lastY < -best))) {
      const isStroke = i > 0 && lastY === lastY
      const found = squaredDistance(
        isStroke ? (xs[i - 1] as number) - px : (xs[i] as number) - px,
        isStroke ? lastY : dy,
        (xs[i] as number) - px,
        dy,
      )
      if (found < squared) {
        squared = found
        best = Math.sqrt(found)
      }
    }
    lastY = dy
  }
  return best
}

/** From the origin to the stroke between two points, squared; NaN if one of them is. */
export function squaredDistance(ax: number, ay: number, bx: number, by: number): number {
  const dx = bx - ax
  const dy = by - ay
  const length = dx * dx + dy * dy
  const along = length === 0 ? 0 : Math.max(0, Math.min(1, -(ax * dx + ay * dy) / length))
  const nearX = ax + along * dx
  const nearY = ay + along * dy
  return nearX * nearX + nearY * nearY
}
