// A chart on a sheet of its own, with title and legend: for files, slides and papers.
import type { LegendItem } from '../../lib/traces'
import { penOf, type Ink } from './ink'
import type { Layout } from './layout'
import type { ChartTheme } from './types'

export const TITLE_HEIGHT = 24
const ROW_HEIGHT = 16
const SWATCH = 18
const GAP = 16
const EDGE = 8

/** An item and its place in the legend. */
export interface LegendEntry extends LegendItem {
  readonly left: number
  readonly row: number
}

/** As many in a row as fit. */
export function legendOf(
  items: readonly LegendItem[],
  sheetWidth: number,
  textWidth: (text: string) => number,
): LegendEntry[] {
  const entries: LegendEntry[] = []
  let left = EDGE
  let row = 0
  for (const { label, style } of items) {
    const width = SWATCH + textWidth(label) + GAP
    if (left > EDGE && left + width > sheetWidth) {
      left = EDGE
      row++
    }
    entries.push({ label, style, left, row })
    left += width
  }
  return entries
}

/** With the space around it; 0 for an empty one. */
export function legendHeight(legend: readonly LegendEntry[]): number {
  const last = legend.at(-1)
  return last === undefined ? 0 : (last.row + 1) * ROW_HEIGHT + 2 * EDGE
}

export function sheetHeight(layout: Layout, legend: readonly LegendEntry[]): number {
  return layout.height + legendHeight(legend)
}

export function paintLegend(ink: Ink, legend: readonly LegendEntry[], top: number, colour: string): void {
  for (const { label, style, left, row } of legend) {
    const y = top + EDGE + (row + 0.5) * ROW_HEIGHT
    const path = ink.path()
    path.moveTo(left, y)
    path.lineTo(left + SWATCH - 6, y)
    ink.stroke(path, { ...penOf(style, 2), isFine: true })
    ink.text(label, left + SWATCH, y, { colour, font: 'sans', align: 'left' })
  }
}

/** `paint` draws the plot itself; its layout leaves `TITLE_HEIGHT` at the top if there is a title. */
export function paintSheet(
  ink: Ink,
  { layout, theme }: { readonly layout: Layout; readonly theme: ChartTheme },
  title: string,
  legend: readonly LegendEntry[],
  paint: () => void,
): void {
  ink.rect(0, 0, layout.width, sheetHeight(layout, legend), theme.surface)
  paint()
  if (title !== '')
    ink.text(title, EDGE, TITLE_HEIGHT / 2, { colour: theme.ink, font: 'sans', align: 'left', isStrong: true })
  paintLegend(ink, legend, layout.height, theme.ink)
}
