// What is painted over a plot while it is used: figures of the cursor on the axes, and the box of a zoom.
import { crisp, type Ink } from './ink'
import type { Layout, Tick } from './layout'
import type { Box, ChartTheme } from './types'

const READOUT_HEIGHT = 16
const READOUT_PADDING = 5

/** What there is to paint on. */
interface Sheet {
  readonly layout: Layout
  readonly theme: ChartTheme
}

/** On the x axis, over the tick labels that it would touch. */
export function xReadout(ink: Ink, { layout, theme }: Sheet, at: number, text: string): void {
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

export function yReadout(ink: Ink, { layout, theme }: Sheet, at: number, text: string): void {
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

export function paintBox(ink: Ink, { layout, theme }: Sheet, box: Box): void {
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
