// Where lines break: NaN, infinities, and what leaves the plot. Every run is marked, whatever its colour.
import type { Numbers, Range } from '../../lib/numbers'
import { placesIn, type Curve } from './curves'
import type { Ink, Sink } from '../plot/ink'
import { isInside, type Layout } from '../plot/layout'
import type { Picture } from './picture'

const SIZE = 4.5
/** Marks of one kind and line are not drawn nearer to each other than this. */
const APART = 9
const NAN = 1
const POSITIVE = 2
const NEGATIVE = 4
/** Of the bar along an edge that lines leave the plot through. */
const BAR_WIDTH = 2
const SHORTEST_BAR = 3

export function paintBreaks(ink: Ink, picture: Picture): void {
  const taken = new Set<string>()
  // Colours above grey.
  const curves = [...picture.curves].sort((a, b) => Number(isLead(a)) - Number(isLead(b)))
  for (const curve of curves) {
    if (picture.layout.marksExits) paintExits(ink, picture, curve, taken)
    if (!curve.isFinite) paintNonFinite(ink, picture, curve, taken)
  }
}

function isLead({ line }: Curve): boolean {
  return line.style.role === 'lead'
}

/** Grey lines do not say which run they are, so their marks say at least that something is wrong. */
function colourOf({ line }: Curve, { theme }: Picture): string {
  return line.style.role === 'context' ? theme.bad : line.style.colour
}

/** What of an entry is not finite: NaN, +inf and -inf as in the flags of a pixel column. */
function flagsOf(curve: Curve, i: number): number {
  const { data } = curve.line
  if (data.kind === 'columns') return data.flags[i] as number
  const value = data.y[i] as number
  if (value - value === 0) return 0
  return Number.isNaN(value) ? NAN : value > 0 ? POSITIVE : NEGATIVE
}

/** Triangles: hollow at the last finite value before NaN, or on the axis where there is none; filled at the edge for infinities. */
function paintNonFinite(ink: Ink, picture: Picture, curve: Curve, taken: Set<string>): void {
  const { layout, theme } = picture
  const { x, y, plot } = layout
  const [from, to] = placesIn(curve, x.domain)
  const hollow = new Marks(ink.path(), layout, isLead(curve) ? null : taken)
  const filled = new Marks(ink.path(), layout, isLead(curve) ? null : taken)
  let last: readonly [number, number] | null = null
  let wasNan = false
  let lastNan = NaN
  for (let i = from; i < to; i++) {
    const flags = flagsOf(curve, i)
    const value = curve.main[i] as number
    const at = x.at(curve.x[i] as number)
    if (value - value === 0) last = [at, y.at(value)]
    const isNan = (flags & NAN) !== 0
    if (isNan && !wasNan) {
      const place: readonly [number, number] = last ?? [Math.max(plot.left, at), plot.bottom]
      hollow.add(place[0], Math.max(plot.top + SIZE + 2, Math.min(plot.bottom - SIZE, place[1])), -1)
    }
    if (isNan && last === null && isInside(at, layout)) lastNan = at
    if (flags & POSITIVE) filled.add(at, plot.top + SIZE + 1, -1)
    if (flags & NEGATIVE) filled.add(at, plot.bottom - SIZE - 1, 1)
    wasNan = isNan
  }
  // Without any value, the last NaN says how far the run went.
  if (last === null && lastNan === lastNan) hollow.add(lastNan, plot.bottom - SIZE, -1)
  const colour = colourOf(curve, picture)
  ink.fill(hollow.path, theme.surface)
  ink.stroke(hollow.path, { colour, width: 1.25, isFine: true })
  ink.fill(filled.path, colour)
}

/** Triangles in one path, not too near to each other; those of many grey lines not twice in the same place. */
class Marks {
  readonly #drawn = { [-1]: -Infinity, 1: -Infinity }
  constructor(
    readonly path: Sink,
    readonly layout: Layout,
    readonly taken: Set<string> | null,
  ) {}

  add(x: number, y: number, up: 1 | -1): void {
    if (!(Math.abs(x - this.#drawn[up]) >= APART) || !isInside(x, this.layout)) return
    this.#drawn[up] = x
    if (this.taken !== null && isTaken(this.taken, x, y)) return
    this.path.moveTo(x - SIZE, y - up * SIZE * 0.85)
    this.path.lineTo(x + SIZE, y - up * SIZE * 0.85)
    this.path.lineTo(x, y + up * SIZE)
    this.path.closePath()
  }
}

/** Takes the place, if it is free. */
function isTaken(taken: Set<string>, x: number, y: number): boolean {
  const place = `${String(Math.round(x / APART))} ${String(Math.round(y / APART))}`
  return taken.size === taken.add(place).size
}

/** A bar along the edge for as long as a line is outside, and a chevron where it leaves for good. */
function paintExits(ink: Ink, picture: Picture, curve: Curve, taken: Set<string>): void {
  const { layout, theme, options } = picture
  const { x, y, plot } = layout
  const { data, style, after } = curve.line
  const extent = data.kind === 'columns' && data.smoothed === null ? data.raw : null
  const bars = ink.path()
  const chevrons = ink.path()
  const [from, to] = placesIn(curve, x.domain)
  let isLeaving = false
  for (const side of [-1, 1] as const) {
    const values = (side === -1 ? extent?.max : extent?.min) ?? curve.main
    if (!goesBeyond(values, from, to, y.domain, side)) continue
    isLeaving = true
    const limit = side === -1 ? plot.top - 0.5 : plot.bottom + 0.5
    const edge = side === -1 ? plot.top + BAR_WIDTH / 2 : plot.bottom - BAR_WIDTH / 2
    let start = NaN
    let end = NaN
    const finish = (): void => {
      if (start !== start) return
      const more = Math.max(0, SHORTEST_BAR - (end - start)) / 2
      bars.moveTo(Math.max(plot.left, start - more), edge)
      bars.lineTo(Math.min(plot.right, end + more), edge)
    }
    for (let i = from; i < to; i++) {
      const at = y.at(values[i] as number)
      if (at !== at) continue
      if (side * at > side * limit) {
        end = x.at(curve.x[i] as number)
        if (start !== start) start = end
        continue
      }
      finish()
      start = NaN
    }
    finish()
    const isGone = start === start && to === curve.x.length && after === null && isInside(start, layout)
    if (isGone && start > plot.left + APART && (isLead(curve) || !isTaken(taken, start, edge)))
      chevron(chevrons, start, edge - side * (SIZE + BAR_WIDTH), side)
  }
  if (!isLeaving) return
  ink.stroke(bars, { colour: style.role === 'context' ? theme.bulk : style.colour, width: BAR_WIDTH, isFine: true })
  const isKnown = (options.better ?? null) !== null
  const colour = style.role !== 'context' ? style.colour : isKnown ? theme.bad : theme.ink3
  ink.stroke(chevrons, { colour: theme.surface, width: 4, isFine: true })
  ink.stroke(chevrons, { colour, width: 1.5, isFine: true })
}

/** Most lines do not, which is seen without projecting them. */
function goesBeyond(values: Numbers, from: number, to: number, [low, high]: Range, side: 1 | -1): boolean {
  for (let i = from; i < to; i++)
    if (side === -1 ? (values[i] as number) > high : (values[i] as number) < low) return true
  return false
}

function chevron(path: Sink, x: number, y: number, down: 1 | -1): void {
  path.moveTo(x - SIZE, y - (down * SIZE) / 2)
  path.lineTo(x, y + (down * SIZE) / 2)
  path.lineTo(x + SIZE, y - (down * SIZE) / 2)
}
