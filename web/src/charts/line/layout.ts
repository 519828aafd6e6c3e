// Where everything goes: margins, domains, scales and ticks of a chart of a given size.
import type { Range } from '../../lib/numbers'
import { placesIn, type Curve } from './curves'
import { Extent, isPoint, niceDomain, symlogKnee, xDomain } from './domain'
import { logLabels, valueLabels, xLabels } from './labels'
import { bestOf, withoutOutliers, type Stretch } from './outliers'
import { Scale } from './scale'
import { firstAtLeast } from './search'
import { ticksOf, xTicksOf } from './ticks'
import type { Band, ChartOptions, ChartView, PlotArea } from './types'

export const MARGIN = { left: 46, right: 10, top: 8, bottom: 20 }
/** Room at the right for the names of lines. */
export const LABEL_WIDTH = 130
/** Room above a chart with names, for what is said of a selected range. */
const HEADROOM = 22
const Y_TICK_EVERY = 44
const X_TICK_EVERY = 92
/** Between labels of the x axis, and between those of the y axis from middle to middle. */
const LABEL_GAP = 10
const LABEL_HEIGHT = 14

export interface Tick {
  readonly at: number
  readonly value: number
  readonly label: string
  readonly width: number
}

export interface Layout {
  readonly width: number
  readonly height: number
  readonly plot: PlotArea
  readonly x: Scale
  readonly y: Scale
  readonly xTicks: readonly Tick[]
  readonly yTicks: readonly Tick[]
  /** Whether lines that leave the plot are marked at its edges. */
  readonly marksExits: boolean
}

export interface Domains {
  /** Of all data, before zooming. */
  readonly fullX: Range
  readonly x: Range
  readonly y: Range
  readonly xKnee: number
  readonly yKnee: number
  /** Whether the user chose the range of y, who then knows that there is more. */
  readonly isZoomedY: boolean
  /** Whether there are values to make a range of y from. */
  readonly hasY: boolean
}

/** Charts give their columns to one collector after the other, so that its memory is taken once. */
const extents = { linear: new Extent('linear'), log: new Extent('log'), symlog: new Extent('symlog') }

export function domainsOf(
  curves: readonly Curve[],
  bands: readonly Band[],
  options: ChartOptions,
  view: ChartView,
): Domains {
  const xRange = rangeOfX(curves, bands, options)
  const fullX = xDomain(xRange, options.xScale)
  const x = usable(view.x, options.xScale) ?? fullX
  const fixedY = view.y ?? options.yRange
  // The knee belongs to the data, whatever part is shown.
  const yRange = fixedY !== null && options.yScale !== 'symlog' ? null : rangeOfY(curves, bands, options, view.x)
  const yKnee = options.yScale === 'symlog' ? symlogKnee(yRange) : 1
  const xKnee = options.xScale === 'symlog' ? symlogKnee(xRange) : 1
  const y = usable(fixedY, options.yScale)
  return {
    fullX,
    x,
    y: y ?? niceDomain(yRange, options.yScale, yKnee),
    xKnee,
    yKnee,
    isZoomedY: view.y !== null,
    hasY: y !== null || yRange !== null,
  }
}

function usable(range: Range | null, kind: ChartOptions['yScale']): Range | null {
  if (range === null || isPoint(range)) return null
  if (kind !== 'log' || range[0] > 0) return range
  return range[1] > 0 ? [range[1] / 1e6, range[1]] : null
}

function rangeOfX(curves: readonly Curve[], bands: readonly Band[], options: ChartOptions): Range | null {
  const extent = extents[options.xScale].clear()
  for (const { x, isSorted, line } of curves) {
    // Where the least positive x of a sorted column is, only looking for it tells.
    if (!isSorted || options.xScale === 'log') extent.add(x)
    else if (x.length > 0) extent.add(x, 0, 1).add(x, x.length - 1)
    if (line.data.kind === 'columns')
      extent.add(line.data.xFirst, 0, options.xScale === 'log' ? line.data.xFirst.length : 1)
  }
  for (const { x } of bands) extent.add(x)
  return extent.range(false)
}

function rangeOfY(
  curves: readonly Curve[],
  bands: readonly Band[],
  options: ChartOptions,
  view: Range | null,
): Range | null {
  const better = options.better ?? null
  const extent = extents[options.yScale].clear()
  const stretches: Stretch[] = []
  let hasColumns = false
  for (const curve of curves) {
    const { data } = curve.line
    const [from, to] = view === null ? [0, curve.main.length] : placesIn(curve, view)
    const best = bestOf(data, from, to, better)
    stretches.push({ values: curve.main, from, to, best })
    extent.add(Float64Array.of(best))
    if (data.kind === 'points') extent.add(curve.main, from, to)
    else {
      hasColumns = true
      const { min, max } = data.smoothed ?? data.raw
      extent.add(min, from, to).add(max, from, to)
    }
  }
  for (const band of bands) {
    const from = view === null ? 0 : firstAtLeast(band.x, view[0])
    const to = view === null ? band.x.length : firstAtLeast(band.x, view[1])
    stretches.push({ values: band.centre, from, to, best: NaN })
    extent.add(band.low, from, to).add(band.centre, from, to).add(band.high, from, to)
  }
  const full = extent.range(false)
  if (!options.ignoreOutliers || full === null) return full
  // Min and max of many points are outliers more often than not; last values are points like any other.
  if (hasColumns) {
    extent.clear()
    for (const { values, from, to } of stretches) extent.add(values, from, to)
  }
  const core = extent.range(true)
  return core === null ? full : withoutOutliers(core, full, stretches, options.yScale, symlogKnee(core))
}

export function layOut(
  width: number,
  height: number,
  domains: Domains,
  options: ChartOptions,
  textWidth: (text: string) => number,
  title = 0,
): Layout {
  const top = title + MARGIN.top + (options.showLabels === true ? HEADROOM : 0)
  const bottom = Math.max(top + 1, height - MARGIN.bottom)
  const y = new Scale(options.yScale, domains.y, bottom, top, domains.yKnee)
  const yValues = ticksOf(options.yScale, domains.y, Math.max(2, (bottom - top) / Y_TICK_EVERY), domains.yKnee)
  const yTexts = options.yScale === 'linear' || isNarrow(yValues) ? valueLabels(yValues) : logLabels(yValues)
  // Where no value is finite, figures would be made up.
  const yTicks = apart(yValues.map((value, i) => tick(value, y, (domains.hasY && yTexts[i]) || '', textWidth)))
  const left = Math.ceil(Math.max(MARGIN.left, 8 + Math.max(0, ...yTicks.map((one) => one.width))))
  const right = Math.max(left + 1, width - (options.showLabels === true ? LABEL_WIDTH : MARGIN.right))
  const x = new Scale(options.xScale, domains.x, left, right, domains.xKnee)
  return {
    width,
    height,
    plot: { left, top, right, bottom },
    x,
    y,
    xTicks: xTicksFor(x, domains, options, textWidth),
    yTicks,
    marksExits: !domains.isZoomedY,
  }
}

/** Whether an x in pixels is in the plot. */
export function isInside(at: number, { plot }: Layout): boolean {
  return at >= plot.left - 0.5 && at <= plot.right + 0.5
}

/** As many ticks as fit: fewer, until no label comes near the next one. */
function xTicksFor(x: Scale, domains: Domains, options: ChartOptions, textWidth: (text: string) => number): Tick[] {
  for (let every = X_TICK_EVERY; ; every *= 1.4) {
    const count = (x.to - x.from) / every
    const values = xTicksOf(options.xKind, options.xScale, domains.x, count, domains.xKnee)
    const texts = xLabels(options.xKind, values, options.xScale !== 'linear' && !isNarrow(values))
    const ticks = values.map((value, i) => tick(value, x, texts[i] ?? '', textWidth))
    if (count < 1 || !ticks.some((one, i) => touches(ticks[i - 1], one))) return ticks
  }
}

/** Without those that would touch the one before; zero stays, whoever is near it. */
function apart(ticks: readonly Tick[]): Tick[] {
  const zero = ticks.find((one) => one.value === 0)
  const kept: Tick[] = []
  for (const one of ticks) {
    const before = kept.at(-1)
    const isFree = before === undefined || Math.abs(one.at - before.at) >= LABEL_HEIGHT
    const isNearZero = zero !== undefined && one !== zero && Math.abs(one.at - zero.at) < LABEL_HEIGHT
    if (isFree && !isNearZero) kept.push(one)
  }
  return kept
}

function touches(before: Tick | undefined, one: Tick): boolean {
  return before !== undefined && one.at - before.at < (one.width + before.width) / 2 + LABEL_GAP
}

function tick(value: number, scale: Scale, label: string, textWidth: (text: string) => number): Tick {
  return { at: scale.at(value), value, label, width: textWidth(label) }
}

/** Whether the ticks of a logarithmic axis lie within a decade, as on a linear one. */
function isNarrow(ticks: readonly number[]): boolean {
  const [first, last] = [ticks[0] ?? 0, ticks.at(-1) ?? 0]
  return first > 0 && last / first < 8
}
