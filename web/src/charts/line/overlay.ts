// The layer above the lines: the highlighted line and the crosshair with its read-outs.
import { crisp, penOf, type Ink } from '../plot/ink'
import { valueText, xText } from '../plot/labels'
import { xReadout, yReadout } from '../plot/readouts'
import { placesIn, type Curve } from './curves'
import { paintMarks, spot } from './marks'
import { axesOf, traceBand } from './paint'
import type { Picture } from './picture'
import { traceCurve } from './trace'
import type { Band, Hover } from './types'

const LIT_WIDTH = 2.4
const HALO_WIDTH = 5
const DOTS = 10
const DASH = [3, 3]

/** One line thick, on a halo of paper that parts it from the others. */
export function paintLit(ink: Ink, picture: Picture, lit: Curve | Band): void {
  const { layout, theme } = picture
  const { plot } = layout
  const axes = axesOf(ink, layout)
  const path = ink.path()
  const isCurve = 'line' in lit
  if (isCurve) traceCurve(path, lit, 'main', placesIn(lit, axes.x.domain), axes)
  else traceBand(path, lit, axes)
  ink.clip(plot.left, plot.top, plot.right - plot.left, plot.bottom - plot.top)
  ink.stroke(path, { colour: theme.surface, width: HALO_WIDTH, alpha: 0.9, isFine: true, isRound: true })
  const style = isCurve ? lit.line.style : lit.style
  const colour = style.role === 'context' ? theme.ink3 : style.colour
  ink.stroke(path, { ...penOf({ ...style, colour }, LIT_WIDTH), isFine: true, isRound: style.dash === 'solid' })
  ink.unclip()
  paintMarks(ink, picture)
}

export function paintCrosshair(ink: Ink, picture: Picture, hover: Hover, colours: ReadonlyMap<string, string>): void {
  const { layout, theme, options } = picture
  const { plot, x, y } = layout
  const nearest = hover.readings.find((reading) => reading.key === hover.nearest)
  const px = crisp(x.at(hover.x), ink.ratio)
  const value = nearest === undefined ? hover.y : (nearest.smoothed ?? nearest.y)
  const exactY = y.at(value)
  const isShown = exactY >= plot.top - 0.5 && exactY <= plot.bottom + 0.5
  const lines = ink.path()
  lines.moveTo(px, plot.top)
  lines.lineTo(px, plot.bottom)
  if (isShown) {
    lines.moveTo(plot.left, crisp(exactY, ink.ratio))
    lines.lineTo(plot.right, crisp(exactY, ink.ratio))
  }
  ink.stroke(lines, { colour: theme.ink3, width: 0, dash: DASH })
  paintReadingDots(ink, picture, hover, colours)
  const resolution = Math.abs(y.value(exactY) - y.value(exactY + 1))
  if (isShown) yReadout(ink, picture, exactY, valueText(value, resolution))
  xReadout(ink, picture, x.at(hover.x), xText(options.xKind, hover.x))
}

function paintReadingDots(
  ink: Ink,
  { layout, theme }: Picture,
  hover: Hover,
  colours: ReadonlyMap<string, string>,
): void {
  const { x, y } = layout
  let left = DOTS
  for (const reading of hover.readings) {
    const colour = colours.get(reading.key)
    if (colour === undefined || reading.key === hover.nearest || left-- <= 0) continue
    spot(ink, x.at(reading.x), y.at(reading.smoothed ?? reading.y), 2.25, colour, theme.surface, layout)
  }
  const nearest = hover.readings.find((reading) => reading.key === hover.nearest)
  if (nearest === undefined) return
  spot(
    ink,
    x.at(nearest.x),
    y.at(nearest.smoothed ?? nearest.y),
    4,
    colours.get(nearest.key) ?? theme.ink,
    theme.surface,
    layout,
  )
}
