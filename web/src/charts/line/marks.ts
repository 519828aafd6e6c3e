// What a line has besides its points: where it breaks, its end while it grows, its best point, gaps, restarts and notes.
import { paintBreaks } from './breaks'
import type { Curve } from './curves'
import type { Ink } from '../plot/ink'
import { isInside, type Layout } from '../plot/layout'
import type { Picture } from './picture'
import { nearestIndex } from '../plot/search'
import { dot } from './trace'
import type { Mark } from './types'

export function paintMarks(ink: Ink, picture: Picture): void {
  for (const mark of picture.marks) if (mark.kind !== 'best') paintMark(ink, picture, mark)
  paintBreaks(ink, picture)
  for (const curve of picture.curves) {
    if (curve.line.style.role === 'lead' && curve.line.isGrowing) paintEnd(ink, picture, curve)
  }
  if (picture.options.showBest)
    for (const mark of picture.marks) if (mark.kind === 'best') paintBest(ink, picture, mark)
}

/** A dot at the last value of a line that is still written; one that ends in NaN has the mark of a break there instead. */
function paintEnd(ink: Ink, { layout, theme }: Picture, curve: Curve): void {
  const i = curve.x.length - 1
  if (!Number.isFinite(curve.raw[i]) || !Number.isFinite(curve.main[i])) return
  // A zoomed line continues outside.
  if (curve.line.after !== null) return
  spot(
    ink,
    layout.x.at(curve.x[i] as number),
    layout.y.at(curve.main[i] as number),
    2.5,
    curve.line.style.colour,
    theme.surface,
    layout,
  )
}

/** A filled circle with a ring of paper, if it is in the plot. */
export function spot(
  ink: Ink,
  x: number,
  y: number,
  radius: number,
  colour: string,
  paper: string,
  layout: Layout,
): void {
  const { plot } = layout
  if (!isInside(x, layout) || y < plot.top - 1 || y > plot.bottom + 1) return
  const ring = ink.path()
  dot(ring, x, y, radius + 1.25)
  ink.fill(ring, paper)
  const path = ink.path()
  dot(path, x, y, radius)
  ink.fill(path, colour)
}

function paintBest(ink: Ink, picture: Picture, mark: Mark): void {
  const { layout, theme } = picture
  const line = picture.curves.find((curve) => curve.line.key === mark.key)?.line
  const x = layout.x.at(mark.x)
  const y = layout.y.at(mark.y ?? NaN)
  if (!isInside(x, layout) || !(y >= layout.plot.top - 1 && y <= layout.plot.bottom + 1)) return
  const ring = ink.path()
  dot(ring, x, y, 4)
  ink.stroke(ring, { colour: theme.surface, width: 4, isFine: true })
  ink.stroke(ring, { colour: line?.style.role === 'lead' ? line.style.colour : theme.ink, width: 1.5, isFine: true })
}

function paintMark(ink: Ink, picture: Picture, mark: Mark): void {
  const { layout, theme } = picture
  const { plot } = layout
  const x = layout.x.at(mark.x)
  if (mark.kind === 'gap') {
    paintGap(ink, picture, mark)
    return
  }
  if (!isInside(x, layout)) return
  const path = ink.path()
  if (mark.kind === 'restart') {
    // An arrow back, standing on the axis.
    path.moveTo(x, plot.bottom)
    path.lineTo(x, plot.bottom - 9)
    path.moveTo(x + 3, plot.bottom - 9)
    path.lineTo(x - 3.5, plot.bottom - 9)
    path.lineTo(x - 1, plot.bottom - 11.5)
    path.moveTo(x - 3.5, plot.bottom - 9)
    path.lineTo(x - 1, plot.bottom - 6.5)
    ink.stroke(path, { colour: theme.ink3, width: 1.25, isFine: true })
  } else {
    // A flag.
    path.moveTo(x, plot.bottom)
    path.lineTo(x, plot.bottom - 13)
    path.lineTo(x + 8, plot.bottom - 10)
    path.lineTo(x, plot.bottom - 7)
    ink.fill(path, theme.ink3)
    ink.stroke(path, { colour: theme.ink3, width: 1, isFine: true })
  }
}

/** Torn on both sides, joined by dots, hatched on the axis. */
function paintGap(ink: Ink, { layout, theme, curves }: Picture, mark: Mark): void {
  const { plot, x, y } = layout
  const from = x.at(mark.x)
  const to = mark.to === undefined ? NaN : x.at(mark.to)
  const end = to === to ? to : from
  if (end < plot.left || from > plot.right) return
  const curve = curves.find((one) => one.line.key === mark.key)
  ink.clip(plot.left, plot.top, plot.right - plot.left, plot.bottom - plot.top + 4)
  if (to === to)
    hatch(ink, Math.max(plot.left, from), Math.min(plot.right, Math.max(to, from + 3)), plot.bottom - 2, theme.bad)
  const left = curve === undefined ? NaN : y.at(valueBefore(curve, mark.x))
  const right = curve === undefined || mark.to === undefined ? NaN : y.at(valueAfter(curve, mark.to))
  if (curve !== undefined) {
    const { colour } = curve.line.style
    if (left === left && right === right) {
      const bridge = ink.path()
      bridge.moveTo(from, left)
      bridge.lineTo(to, right)
      ink.stroke(bridge, { colour: theme.surface, width: 3, isFine: true })
      ink.stroke(bridge, { colour, width: 1.25, dash: [1.25, 2.75], isFine: true })
    }
    tear(ink, from, left, colour, theme.surface)
    tear(ink, to, right, colour, theme.surface)
  }
  ink.unclip()
}

function tear(ink: Ink, x: number, y: number, colour: string, paper: string): void {
  if (y !== y || x !== x) return
  const path = ink.path()
  path.moveTo(x - 2, y - 8)
  for (let i = 1; i <= 5; i++) path.lineTo(x + (i % 2 === 1 ? 2 : -2), y - 8 + i * 3.2)
  ink.stroke(path, { colour: paper, width: 4.5, isFine: true })
  ink.stroke(path, { colour, width: 1.25, isFine: true })
}

function hatch(ink: Ink, from: number, to: number, y: number, colour: string): void {
  const path = ink.path()
  ink.clip(from, y, to - from, 5)
  for (let x = from - 5; x < to; x += 3) {
    path.moveTo(x, y + 5)
    path.lineTo(x + 5, y)
  }
  ink.stroke(path, { colour, width: 1.25, isFine: true })
  ink.unclip()
}

function valueBefore(curve: Curve, x: number): number {
  let i = curve.isSorted ? nearestIndex(curve.x, x) : -1
  while (i >= 0 && !((curve.x[i] as number) <= x && Number.isFinite(curve.main[i]))) i--
  return i < 0 ? NaN : (curve.main[i] as number)
}

function valueAfter(curve: Curve, x: number): number {
  let i = curve.isSorted ? nearestIndex(curve.x, x) : curve.x.length
  while (i < curve.x.length && !((curve.x[i] as number) >= x && Number.isFinite(curve.main[i]))) i++
  return i < curve.x.length ? (curve.main[i] as number) : NaN
}
