// From columns of numbers to strokes: projected into memory that is kept, broken at what is not finite, thinned where points crowd.
import type { Numbers } from '../../lib/numbers'
import type { Extent, Neighbour } from '../../lib/traces'
import type { Sink } from '../plot/ink'
import type { Curve, Places } from './curves'
import type { Scale } from '../plot/scale'

/** More points per device pixel than this are drawn as first, min, max and last of each; below it, thinning costs more than it saves. */
const CROWDED = 6
const LONE_RADIUS = 1

let xs = new Float64Array(4096)
let ys = new Float64Array(4096)

function reserve(length: number): void {
  if (length <= xs.length) return
  xs = new Float64Array(2 * length)
  ys = new Float64Array(2 * length)
}

export interface Axes {
  readonly x: Scale
  readonly y: Scale
  /** Width of a device pixel. */
  readonly pixel: number
}

/** Draws the raw values or the main ones (smoothed if there are) of some entries. */
export function traceCurve(sink: Sink, curve: Curve, which: 'raw' | 'main', places: Places, axes: Axes): void {
  const trace = curve.line.data
  const isMain = which === 'main'
  let from = places[0]
  for (const split of [...curve.splits.filter((at) => at > places[0] && at < places[1]), places[1]]) {
    const before = from === 0 ? curve.line.before : null
    const after = split === curve.x.length ? curve.line.after : null
    if (trace.kind === 'points') {
      const y = isMain ? curve.main : curve.raw
      const count = projectPoints(trace.x, y, from, split, axes, before, after, isMain)
      if (curve.isSorted && count > CROWDED * ((axes.x.to - axes.x.from) / axes.pixel))
        strokeThinned(sink, xs, ys, count, axes.pixel)
      else stroke(sink, xs, ys, count, axes.pixel)
    } else {
      // A smoothed line goes through one value per column, to be a line also where the values still swing; the raw trace behind it shows them all.
      const isSmoothed = isMain && trace.smoothed !== null
      const count = isSmoothed
        ? projectPoints(curve.x, curve.main, from, split, axes, before, after, isMain)
        : projectColumns(trace.xFirst, trace.xLast, trace.raw, trace.count, from, split, axes, before, after, isMain)
      stroke(sink, xs, ys, count, axes.pixel)
    }
    from = split
  }
}

function projectPoints(
  x: Numbers,
  y: Numbers,
  from: number,
  to: number,
  axes: Axes,
  before: Neighbour | null,
  after: Neighbour | null,
  isMain: boolean,
): number {
  reserve(to - from + 2)
  let at = before === null ? 0 : projectNeighbour(before, axes, 0, isMain)
  axes.x.project(x, from, to, xs, at)
  axes.y.project(y, from, to, ys, at)
  at += to - from
  return after === null ? at : projectNeighbour(after, axes, at, isMain)
}

/** Four points for each column; which of min and max came first is not known, and makes no visible difference. */
function projectColumns(
  xFirst: Numbers,
  xLast: Numbers,
  extent: Extent,
  count: Numbers,
  from: number,
  to: number,
  axes: Axes,
  before: Neighbour | null,
  after: Neighbour | null,
  isMain: boolean,
): number {
  reserve(4 * (to - from) + 2)
  let at = before === null ? 0 : projectNeighbour(before, axes, 0, isMain)
  for (let i = from; i < to; i++) {
    const left = axes.x.at(xFirst[i] as number)
    const first = axes.y.at(extent.first[i] as number)
    xs[at] = left
    ys[at++] = first
    if (first !== first || (count[i] as number) < 2) continue
    const right = axes.x.at(xLast[i] as number)
    const last = axes.y.at(extent.last[i] as number)
    const low = axes.y.at(extent.min[i] as number)
    const high = axes.y.at(extent.max[i] as number)
    const rises = last < first
    xs[at] = xs[at + 1] = (left + right) / 2
    ys[at++] = rises ? low : high
    ys[at++] = rises ? high : low
    xs[at] = right
    ys[at++] = last
  }
  return after === null ? at : projectNeighbour(after, axes, at, isMain)
}

function projectNeighbour(neighbour: Neighbour, axes: Axes, at: number, isMain: boolean): number {
  xs[at] = axes.x.at(neighbour[0])
  ys[at] = axes.y.at(isMain ? (neighbour[2] ?? neighbour[1]) : neighbour[1])
  return at + 1
}

/**
 * A stroke through the first `count` points; NaN interrupts it, and an isolated point becomes a dot.
 * A point that is between its neighbours in the same column of `width` pixels is left out: it would not be seen.
 */
export function stroke(sink: Sink, x: Float64Array, y: Float64Array, count: number, width: number): void {
  const inverse = 1 / width
  let length = 0
  let before = -1
  let own = count > 0 ? ((x[0] as number) * inverse) | 0 : 0
  for (let i = 0; i < count; i++) {
    const py = y[i] as number
    const after = i + 1 < count ? ((x[i + 1] as number) * inverse) | 0 : -1
    if (py !== py) {
      if (length === 1) dot(sink, x[i - 1] as number, y[i - 1] as number, LONE_RADIUS)
      length = 0
    } else if (length === 0) {
      sink.moveTo(x[i] as number, py)
      length = 1
    } else if (own !== before || own !== after || !(((y[i + 1] as number) - py) * (py - (y[i - 1] as number)) >= 0)) {
      sink.lineTo(x[i] as number, py)
      length++
    }
    before = own
    own = after
  }
  if (length === 1) dot(sink, x[count - 1] as number, y[count - 1] as number, LONE_RADIUS)
}

/** The same picture with at most four points for each column of `width` pixels; x must be sorted. */
export function strokeThinned(sink: Sink, x: Float64Array, y: Float64Array, count: number, width: number): void {
  let column = NaN
  let first = 0
  let low = 0
  let high = 0
  let last = -1
  let isDown = false
  let lone = -1
  const lift = () => {
    if (lone >= 0) dot(sink, x[lone] as number, y[lone] as number, LONE_RADIUS)
    lone = -1
    isDown = false
  }
  const flush = () => {
    if (last < 0) return
    lone = !isDown && last === first ? first : -1
    const from = low < high ? low : high
    const to = low < high ? high : low
    if (isDown) sink.lineTo(x[first] as number, y[first] as number)
    else sink.moveTo(x[first] as number, y[first] as number)
    isDown = true
    if (from !== first) sink.lineTo(x[from] as number, y[from] as number)
    if (to !== from && to !== first) sink.lineTo(x[to] as number, y[to] as number)
    if (last !== to && last !== first) sink.lineTo(x[last] as number, y[last] as number)
    last = -1
  }
  for (let i = 0; i < count; i++) {
    const py = y[i] as number
    if (py !== py) {
      flush()
      lift()
      continue
    }
    const own = Math.floor((x[i] as number) / width)
    if (own !== column || last < 0) {
      flush()
      column = own
      first = low = high = i
    } else if (py < (y[low] as number)) low = i
    else if (py > (y[high] as number)) high = i
    last = i
  }
  flush()
  lift()
}

export function dot(sink: Sink, x: number, y: number, radius: number): void {
  sink.moveTo(x + radius, y)
  sink.arc(x, y, radius, 0, 2 * Math.PI)
}

/** A closed shape between two edges, parted where either is not finite. */
export function traceArea(
  sink: Sink,
  xFrom: Numbers,
  xTo: Numbers,
  low: Numbers,
  high: Numbers,
  places: Places,
  axes: Axes,
): void {
  let start = places[0]
  for (let i = places[0]; i <= places[1]; i++) {
    const isEdge = i < places[1] && Number.isFinite(low[i]) && Number.isFinite(high[i])
    if (isEdge) continue
    if (i > start) closeArea(sink, xFrom, xTo, low, high, start, i, axes)
    start = i + 1
  }
}

function closeArea(
  sink: Sink,
  xFrom: Numbers,
  xTo: Numbers,
  low: Numbers,
  high: Numbers,
  from: number,
  to: number,
  axes: Axes,
): void {
  sink.moveTo(axes.x.at(xFrom[from] as number), axes.y.at(high[from] as number))
  for (let i = from; i < to; i++) {
    if (xFrom !== xTo) sink.lineTo(axes.x.at(xFrom[i] as number), axes.y.at(high[i] as number))
    sink.lineTo(axes.x.at(xTo[i] as number), axes.y.at(high[i] as number))
  }
  for (let i = to - 1; i >= from; i--) {
    sink.lineTo(axes.x.at(xTo[i] as number), axes.y.at(low[i] as number))
    if (xFrom !== xTo) sink.lineTo(axes.x.at(xFrom[i] as number), axes.y.at(low[i] as number))
  }
  sink.closePath()
}
