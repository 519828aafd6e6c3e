// The lasting layer of a chart: grid, envelopes, raw traces, context, lines in colour, marks, tick labels, from below to above.
import { paintGrid, paintLabels } from '../plot/axes'
import { penOf, type Ink, type Sink } from '../plot/ink'
import type { Layout } from '../plot/layout'
import { firstAtLeast } from '../plot/search'
import { placesIn, type Curve } from './curves'
import { paintEnds } from './ends'
import { paintMarks } from './marks'
import type { Picture } from './picture'
import { dot, stroke, traceArea, traceCurve, type Axes } from './trace'
import type { Band, ChartOptions, ChartTheme } from './types'

const LEAD_WIDTH = 1.5
const ENVELOPE_ALPHA = 0.1
const BAND_ALPHA = 0.16
const RAW_ALPHA = 0.25
const MEMBER_ALPHA = 0.35
/** With more lines in colour than this, each is a hairline without its raw trace: they would only hide each other. */
const FEW_LEADS = 40
/** With more points in colour than this, hairlines have to do: they take half as long. */
const FEW_POINTS = 16_000
/** More context lines than this are drawn one over the other, so that one sees where they crowd. */
const FEW_CONTEXT = 40
const CROWD_ALPHA = 0.4
/** From this distance between points on, each gets a dot. */
const DOT_SPACING = 14
const DOT_RADIUS = 2.2

export function paint(ink: Ink, picture: Picture): void {
  const { layout, theme, curves, bands } = picture
  const { plot } = layout
  paintGrid(ink, layout, theme)
  // Without data there are no values: figures on the axes would be made up.
  if (curves.length + bands.length === 0) return
  ink.clip(plot.left, plot.top, plot.right - plot.left, plot.bottom - plot.top)
  paintLines(ink, picture)
  ink.unclip()
  paintMarks(ink, picture)
  paintLabels(ink, layout, theme)
  if (picture.options.showLabels === true) paintEnds(ink, picture)
}

export function axesOf(ink: Ink, layout: Layout): Axes {
  return { x: layout.x, y: layout.y, pixel: 1 / ink.ratio }
}

function paintLines(ink: Ink, picture: Picture): void {
  const { curves, options, layout, theme } = picture
  const axes = axesOf(ink, layout)
  const leads = curves.filter((curve) => curve.line.style.role === 'lead')
  const isFew = leads.length <= FEW_LEADS
  if (isFew) paintBehind(ink, leads, options, axes)
  paintContext(ink, curves, theme, axes)
  for (const band of picture.bands) paintBand(ink, band, axes)
  const points = leads.reduce((sum, curve) => sum + curve.x.length, 0)
  for (const curve of leads) {
    const path = ink.path()
    traceCurve(path, curve, 'main', placesIn(curve, axes.x.domain), axes)
    ink.stroke(path, penOf(curve.line.style, isFew && points <= FEW_POINTS ? LEAD_WIDTH : 0))
  }
  if (isFew) for (const curve of leads) paintDots(ink, curve, axes)
}

/** Envelopes and raw traces: what the smoothed lines were made from. */
function paintBehind(ink: Ink, leads: readonly Curve[], options: ChartOptions, axes: Axes): void {
  for (const curve of leads) {
    const { data, style } = curve.line
    if (!options.showEnvelope || data.kind === 'points') continue
    const path = ink.path()
    traceArea(path, data.xFirst, data.xLast, data.raw.min, data.raw.max, placesIn(curve, axes.x.domain), axes)
    ink.fill(path, style.colour, ENVELOPE_ALPHA)
  }
  for (const curve of leads) {
    if (!options.showRaw || curve.line.data.smoothed === null) continue
    const path = ink.path()
    traceCurve(path, curve, 'raw', placesIn(curve, axes.x.domain), axes)
    ink.stroke(path, { colour: curve.line.style.colour, width: 0, alpha: RAW_ALPHA })
  }
}

/** A few grey lines are one path: they have one colour, and need not be distinguished. */
function paintContext(ink: Ink, curves: readonly Curve[], theme: ChartTheme, axes: Axes): void {
  const context = curves.filter((curve) => curve.line.style.role === 'context')
  const isCrowd = context.length > FEW_CONTEXT
  let path = ink.path()
  for (const curve of context) {
    traceCurve(path, curve, 'main', placesIn(curve, axes.x.domain), axes)
    if (!isCrowd) continue
    ink.stroke(path, { colour: theme.bulk, width: 0, alpha: CROWD_ALPHA })
    path = ink.path()
  }
  if (!isCrowd && context.length > 0) ink.stroke(path, { colour: theme.bulk, width: 0 })
  for (const curve of curves) {
    if (curve.line.style.role !== 'member') continue
    const member = ink.path()
    traceCurve(member, curve, 'main', placesIn(curve, axes.x.domain), axes)
    ink.stroke(member, { colour: curve.line.style.colour, width: 0, alpha: MEMBER_ALPHA })
  }
}

function paintBand(ink: Ink, band: Band, axes: Axes): void {
  const from = Math.max(0, firstAtLeast(band.x, axes.x.domain[0]) - 1)
  const to = Math.min(band.x.length, firstAtLeast(band.x, axes.x.domain[1]) + 2)
  const area = ink.path()
  traceArea(area, band.x, band.x, band.low, band.high, [from, to], axes)
  ink.fill(area, band.style.colour, BAND_ALPHA)
  const path = ink.path()
  traceBand(path, band, axes)
  ink.stroke(path, { ...penOf(band.style, LEAD_WIDTH), isFine: true })
}

export function traceBand(path: Sink, band: Band, axes: Axes): void {
  const count = band.x.length
  const x = new Float64Array(count)
  const y = new Float64Array(count)
  axes.x.project(band.x, 0, count, x, 0)
  axes.y.project(band.centre, 0, count, y, 0)
  stroke(path, x, y, count, axes.pixel)
}

/** Where points are far apart, they are drawn as points. */
function paintDots(ink: Ink, curve: Curve, axes: Axes): void {
  const { data, style } = curve.line
  if (data.kind !== 'points') return
  const [from, to] = placesIn(curve, axes.x.domain)
  if ((to - from) * DOT_SPACING > axes.x.to - axes.x.from) return
  const path = ink.path()
  const y = data.smoothed === null ? curve.main : curve.raw
  for (let i = from; i < to; i++) {
    const at = axes.y.at(y[i] as number)
    if (at === at) dot(path, axes.x.at(data.x[i] as number), at, DOT_RADIUS)
  }
  ink.fill(path, style.colour, data.smoothed === null ? 1 : 2 * RAW_ALPHA)
}
