// Grid lines and figures of both axes.
import { crisp, type Ink } from './ink'
import type { Layout } from './layout'
import type { ChartTheme } from './types'

export function paintGrid(ink: Ink, layout: Layout, theme: ChartTheme): void {
  const { plot, y, yTicks } = layout
  const hairline = 1 / ink.ratio
  for (const { at, value } of yTicks) {
    if (value === 0) continue
    ink.rect(plot.left, crisp(at, ink.ratio) - hairline / 2, plot.right - plot.left, hairline, theme.grid)
  }
  if (y.domain[0] <= 0 && y.domain[1] >= 0 && y.kind !== 'log') {
    ink.rect(plot.left, crisp(y.at(0), ink.ratio) - hairline / 2, plot.right - plot.left, hairline, theme.zero)
  }
}

export function paintLabels(ink: Ink, layout: Layout, theme: ChartTheme): void {
  const { plot, xTicks, yTicks, width } = layout
  for (const { at, label } of yTicks) {
    ink.text(label, plot.left - 6, Math.max(6, at), { colour: theme.ink3, font: 'sans', align: 'right' })
  }
  for (const tick of xTicks) {
    ink.rect(crisp(tick.at, ink.ratio) - 0.5 / ink.ratio, plot.bottom, 1 / ink.ratio, 3, theme.zero)
    const half = tick.width / 2
    const at = Math.max(half, Math.min(width - half, tick.at))
    ink.text(tick.label, at, plot.bottom + 12, { colour: theme.ink3, font: 'sans', align: 'center' })
  }
}
