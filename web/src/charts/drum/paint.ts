// The drum: a curve with its usual range, below it a lane for each kind of thing logged, and one ink line through all.
import type { Numbers, Range } from '../../lib/numbers'
import { Scale } from '../plot/scale'

export interface DrumLine {
  readonly x: Numbers
  readonly first: Numbers
  readonly min: Numbers
  readonly max: Numbers
  readonly last: Numbers
}

export interface DrumLane {
  readonly ticks: Numbers
  /** The item that is shown; null for none. */
  readonly at: number | null
  /** The item of the reference. */
  readonly reference: number | null
}

export interface DrumData {
  readonly window: Range
  readonly line: DrumLine
  /** The usual range; null if it is not known. */
  readonly usual: Range | null
  /** Where the curve left its range, and was back; NaN for neither. */
  readonly since: number
  readonly back: number
  readonly step: number
  readonly value: number
  readonly reference: number | null
  readonly referenceValue: number
  readonly lanes: readonly DrumLane[]
  readonly colour: string
}

export interface DrumTheme {
  readonly ink: string
  readonly ink3: string
  readonly grid: string
  readonly rule: string
  readonly band: string
  readonly surface: string
}

export interface DrumSize {
  readonly width: number
  /** Of the curve, in pixels; 0 if there is none. */
  readonly curve: number
  /** Of each lane. */
  readonly lane: number
}

const PADDING = 0.08
// Beyond this, a curve that exploded leaves nothing to see of what was before.
const LOG_RATIO = 300

/** The vertical axis: everything in the window, and the usual range. */
export function yScale({ line, usual }: DrumData, height: number): Scale {
  let [low, high] = usual ?? [Infinity, -Infinity]
  for (const value of line.min) if (value < low) low = value
  for (const value of line.max) if (value > high) high = value
  if (!(low <= high)) [low, high] = [0, 1]
  if (low > 0 && high / low > LOG_RATIO) return new Scale('log', [low / 1.5, high * 1.5], height, 6)
  const margin = (high - low) * PADDING || Math.abs(high) * PADDING || 1
  return new Scale('linear', [low - margin, high + margin], height, 6)
}

export function xScale({ window }: DrumData, width: number): Scale {
  return new Scale('linear', window, 0, width)
}

/** The step of the tick of a lane that is nearest to a pixel, if it is near. */
export function tickAt(lane: DrumLane, x: Scale, pixel: number, within: number): number | null {
  let found: number | null = null
  let best = within
  for (const step of lane.ticks) {
    const away = Math.abs(x.at(step) - pixel)
    if (away <= best) [found, best] = [step, away]
  }
  return found
}

/** The x of the curve that is nearest to a pixel. */
export function pointAt({ line }: DrumData, x: Scale, pixel: number): number | null {
  let found: number | null = null
  let best = Infinity
  for (const step of line.x) {
    const away = Math.abs(x.at(step) - pixel)
    if (away < best) [found, best] = [step, away]
  }
  return found === null ? null : Math.round(found)
}

export function paintDrum(
  context: CanvasRenderingContext2D,
  data: DrumData,
  size: DrumSize,
  theme: DrumTheme,
  grid: readonly number[],
): void {
  const x = xScale(data, size.width)
  const y = yScale(data, size.curve)
  const height = size.curve + size.lane * data.lanes.length
  context.clearRect(0, 0, size.width, height)
  if (size.curve > 0) paintCurve(context, data, { x, y }, size, theme, grid)
  for (const [at, lane] of data.lanes.entries())
    paintLane(context, lane, data, x, size.curve + size.lane * (at + 0.5), size, theme)
  if (data.reference !== null) {
    context.setLineDash([3, 3])
    upright(context, x.at(data.reference), height, theme.ink3)
    context.setLineDash([])
  }
  upright(context, x.at(data.step), height, theme.ink)
  if (size.curve > 0) {
    if (data.reference !== null) ring(context, x.at(data.reference), y.at(data.referenceValue), 3.5, theme.ink, theme)
    spot(context, x.at(data.step), y.at(data.value), 4, data.colour, theme)
  }
}

interface Scales {
  readonly x: Scale
  readonly y: Scale
}

function paintCurve(
  context: CanvasRenderingContext2D,
  data: DrumData,
  { x, y }: Scales,
  { width, curve: height }: DrumSize,
  theme: DrumTheme,
  grid: readonly number[],
): void {
  for (const value of grid) level(context, y.at(value), width, theme.grid)
  if (data.usual !== null) {
    const [low, high] = data.usual.map((value) => y.at(value)) as [number, number]
    context.fillStyle = theme.band
    context.fillRect(0, high, width, Math.max(2, low - high))
  }
  const { line } = data
  context.save()
  context.beginPath()
  context.rect(0, 0, width, height)
  context.clip()
  paintExcursion(context, data, { x, y }, width)
  // Where a pixel column has several points, their extent.
  context.globalAlpha = 0.25
  context.strokeStyle = data.colour
  context.lineWidth = 1
  context.beginPath()
  for (let at = 0; at < line.x.length; at++) {
    const [low, high] = [line.min[at] ?? NaN, line.max[at] ?? NaN]
    if (!(high > low)) continue
    const pixel = x.at(line.x[at] ?? NaN)
    context.moveTo(pixel, y.at(low))
    context.lineTo(pixel, y.at(high))
  }
  context.stroke()
  context.globalAlpha = 1
  context.lineWidth = 1.5
  context.lineJoin = 'round'
  context.beginPath()
  trace(context, line.x, line.last, x, y)
  context.stroke()
  context.restore()
}

/** Lightly filled between the curve and the range, from where it left it to where it was back. */
function paintExcursion(context: CanvasRenderingContext2D, data: DrumData, { x, y }: Scales, width: number): void {
  const { line, usual, since, back, colour } = data
  if (usual === null || Number.isNaN(since)) return
  const end = Number.isNaN(back) ? x.value(width) : back
  context.globalAlpha = 0.14
  context.fillStyle = colour
  context.beginPath()
  const edges: number[] = []
  for (let at = 0; at < line.x.length; at++) {
    const [step, value] = [line.x[at] ?? NaN, line.last[at] ?? NaN]
    if (step < since || step > end || !Number.isFinite(value)) continue
    edges.push(x.at(step))
    context.lineTo(x.at(step), y.at(value))
  }
  const [first, last] = [edges[0], edges.at(-1)]
  if (first !== undefined && last !== undefined) {
    const middle = y.at(Math.min(Math.max(data.value, usual[0]), usual[1]))
    context.lineTo(last, middle)
    context.lineTo(first, middle)
    context.fill()
  }
  context.globalAlpha = 1
}

/** Lifted where a value is not finite. */
function trace(context: CanvasRenderingContext2D, xs: Numbers, ys: Numbers, x: Scale, y: Scale): void {
  let isDown = false
  for (let at = 0; at < xs.length; at++) {
    const value = ys[at] ?? NaN
    if (!Number.isFinite(value)) isDown = false
    else if (isDown) context.lineTo(x.at(xs[at] ?? NaN), y.at(value))
    else {
      context.moveTo(x.at(xs[at] ?? NaN), y.at(value))
      isDown = true
    }
  }
}

function paintLane(
  context: CanvasRenderingContext2D,
  { ticks, at, reference }: DrumLane,
  { step, colour }: DrumData,
  x: Scale,
  middle: number,
  { width }: DrumSize,
  theme: DrumTheme,
): void {
  level(context, middle, width, theme.grid)
  context.strokeStyle = theme.ink3
  context.lineWidth = 1
  context.beginPath()
  for (const tick of ticks) {
    const pixel = Math.round(x.at(tick)) + 0.5
    context.moveTo(pixel, middle - 3.5)
    context.lineTo(pixel, middle + 3.5)
  }
  context.stroke()
  if (reference !== null) ring(context, x.at(reference), middle, 3, theme.ink, theme)
  if (at === null) return
  // How far back it is.
  context.strokeStyle = theme.ink
  context.lineWidth = 1.5
  context.beginPath()
  context.moveTo(x.at(at), middle)
  context.lineTo(x.at(step), middle)
  context.stroke()
  spot(context, x.at(at), middle, 3, colour, theme)
}

function upright(context: CanvasRenderingContext2D, pixel: number, height: number, colour: string): void {
  context.strokeStyle = colour
  context.lineWidth = 1
  context.beginPath()
  context.moveTo(Math.round(pixel) + 0.5, 0)
  context.lineTo(Math.round(pixel) + 0.5, height)
  context.stroke()
}

function level(context: CanvasRenderingContext2D, pixel: number, width: number, colour: string): void {
  context.strokeStyle = colour
  context.lineWidth = 1
  context.beginPath()
  context.moveTo(0, Math.round(pixel) + 0.5)
  context.lineTo(width, Math.round(pixel) + 0.5)
  context.stroke()
}

function spot(
  context: CanvasRenderingContext2D,
  x: number,
  y: number,
  radius: number,
  colour: string,
  { surface }: DrumTheme,
): void {
  if (!Number.isFinite(x) || !Number.isFinite(y)) return
  disc(context, x, y, radius + 1.25, surface)
  disc(context, x, y, radius, colour)
}

function ring(
  context: CanvasRenderingContext2D,
  x: number,
  y: number,
  radius: number,
  colour: string,
  { surface }: DrumTheme,
): void {
  if (!Number.isFinite(x) || !Number.isFinite(y)) return
  disc(context, x, y, radius + 1, colour)
  disc(context, x, y, radius - 0.5, surface)
}

function disc(context: CanvasRenderingContext2D, x: number, y: number, radius: number, colour: string): void {
  context.fillStyle = colour
  context.beginPath()
  context.arc(x, y, radius, 0, 2 * Math.PI)
  context.fill()
}
