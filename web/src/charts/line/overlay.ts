// The layer above the lines: the line that is pointed at, the crosshair with its read-outs, the box of a zoom.
import type { Curve } from './curves'
import { placesIn } from './curves'
import type { Ink } from './ink'
import { valueText, xText } from './labels'
import type { Layout, Tick } from './layout'
import { paintMarks, spot } from './marks'
import { axesOf, crisp, penOf, traceBand, type Picture } from './paint'
import { traceCurve } from './trace'
import type { Band, Hover } from './types'

const LIT_WIDTH = 2.4
const HALO_WIDTH = 5
const DOTS = 10
const DASH = [3, 3]
const READOUT_HEIGHT = 16
const READOUT_PADDING = 5

/** Corners of a box being dragged, in pixels. */
export interface Box {
  readonly left: number
  readonly top: number
  readonly right: number
  readonly bottom: number
}

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

/** On the x axis, over the tick labels that it would touch. */
export function xReadout(ink: Ink, { layout, theme }: Picture, at: number, text: string): void {
  const width = ink.textWidth(text, 'mono') + 2 * READOUT_PADDING
  const left = Math.max(0, Math.min(layout.width - width, at - width / 2))
  const top = layout.plot.bottom + 3
  for (const tick of layout.xTicks) {
    if (Math.abs(tick.at - (left + width / 2)) < (tick.width + width) / 2 + 3) hideX(ink, layout, tick, theme.surface)
  }
  readout(ink, left, top, width, text, theme.ink, theme.surface)
}

function hideX(ink: Ink, layout: Layout, tick: Tick, paper: string): void {
  ink.rect(
    tick.at - tick.width / 2 - 2,
    layout.plot.bottom + 4,
    tick.width + 4,
    layout.height - layout.plot.bottom - 4,
    paper,
  )
}

export function yReadout(ink: Ink, { layout, theme }: Picture, at: number, text: string): void {
  const width = ink.textWidth(text, 'mono') + 2 * READOUT_PADDING
  const top = Math.max(0, Math.min(layout.plot.bottom - READOUT_HEIGHT / 2, at - READOUT_HEIGHT / 2))
  const right = Math.max(width, layout.plot.left - 1)
  for (const tick of layout.yTicks) {
    if (Math.abs(tick.at - at) < READOUT_HEIGHT / 2 + 7)
      ink.rect(0, tick.at - 8, layout.plot.left - 2, 16, theme.surface)
  }
  readout(ink, right - width, top, width, text, theme.ink, theme.surface)
}

function readout(
  ink: Ink,
  left: number,
  top: number,
  width: number,
  text: string,
  ground: string,
  colour: string,
): void {
  ink.rect(left, top, width, READOUT_HEIGHT, ground, 2)
  ink.text(text, left + width / 2, top + READOUT_HEIGHT / 2, { colour, font: 'mono', align: 'center' })
}

export function paintBox(ink: Ink, { layout, theme }: Picture, box: Box): void {
  const hairline = 1 / ink.ratio
  const { plot } = layout
  ink.rect(box.left, box.top, box.right - box.left, box.bottom - box.top, theme.veil)
  const isTall = box.top <= plot.top && box.bottom >= plot.bottom
  const isWide = box.left <= plot.left && box.right >= plot.right
  const edge = (x: number, y: number, width: number, height: number) => {
    ink.rect(x, y, Math.max(width, hairline), Math.max(height, hairline), theme.ink3)
  }
  if (!isWide) {
    edge(crisp(box.left, ink.ratio) - hairline / 2, box.top, 0, box.bottom - box.top)
    edge(crisp(box.right, ink.ratio) - hairline / 2, box.top, 0, box.bottom - box.top)
  }
  if (!isTall) {
    edge(box.left, crisp(box.top, ink.ratio) - hairline / 2, box.right - box.left, 0)
    edge(box.left, crisp(box.bottom, ink.ratio) - hairline / 2, box.right - box.left, 0)
  }
}
