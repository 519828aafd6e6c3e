// Where everything goes: margins, scales and ticks of a plot of a given size.
import type { Range } from '../../lib/numbers'
import { logLabels, valueLabels, xLabels } from './labels'
import { Scale, type ScaleKind } from './scale'
import { ticksOf, xTicksOf } from './ticks'
import type { Box, XKind } from './types'

export const MARGIN = { left: 46, right: 10, top: 8, bottom: 20 }
/** Room at the right for the names of lines. */
export const LABEL_WIDTH = 130
/** Room above a chart with names, for what is said of a selected range. */
const HEADROOM = 22
const Y_TICK_EVERY = 44
const X_TICK_EVERY = 92
/** Between labels of the x axis, and between those of the y axis from centre to centre. */
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
  readonly plot: Box
  readonly x: Scale
  readonly y: Scale
  readonly xTicks: readonly Tick[]
  readonly yTicks: readonly Tick[]
  /** Whether lines that leave the plot are marked at its edges. */
  readonly marksExits: boolean
}

/** What parts of both axes are shown. */
export interface AxisDomains {
  readonly x: Range
  readonly y: Range
  readonly xKnee: number
  readonly yKnee: number
  /** Whether the user chose the range of y, who then knows that there is more. */
  readonly isZoomedY: boolean
  /** Whether there are values to make a range of y from. */
  readonly hasY: boolean
}

/** How both axes are drawn. */
export interface AxisOptions {
  readonly xKind: XKind
  readonly xScale: ScaleKind
  readonly yScale: ScaleKind
  /** Leaves room for names at the right end of what is drawn. */
  readonly showLabels?: boolean
}

export function layOut(
  width: number,
  height: number,
  domains: AxisDomains,
  options: AxisOptions,
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
function xTicksFor(x: Scale, domains: AxisDomains, options: AxisOptions, textWidth: (text: string) => number): Tick[] {
  for (let every = X_TICK_EVERY; ; every *= 1.4) {
    const count = (x.to - x.from) / every
    const values = xTicksOf(options.xKind, options.xScale, domains.x, count, domains.xKnee)
    const texts = xLabels(options.xKind, values, options.xScale !== 'linear' && !isNarrow(values))
    const ticks = values.map((value, i) => tick(value, x, texts[i] ?? '', textWidth))
    if (count < 1 || !ticks.some((one, i) => touches(ticks[i - 1], one))) return ticks
  }
}

/** Without those that would touch the one before; zero always stays. */
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

/** Whether the ticks of a logarithmic axis are within a decade, as on a linear one. */
function isNarrow(ticks: readonly number[]): boolean {
  const [first, last] = [ticks[0] ?? 0, ticks.at(-1) ?? 0]
  return first > 0 && last / first < 8
}
