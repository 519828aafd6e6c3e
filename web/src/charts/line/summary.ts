// A chart in a sentence, for those who do not see it.
import { valueText, xText } from '../plot/labels'
import type { Layout } from '../plot/layout'
import type { ChartData, ChartOptions } from './types'

/** `Line chart of 3 lines, step 0 to 48,000, values 0.1 to 2.5` */
export function describe(data: ChartData, layout: Layout, options: ChartOptions): string {
  const count = data.lines.length + data.bands.length
  if (count === 0) return 'Line chart without lines'
  const x = { step: 'step', duration: 'time', date: 'time', value: 'x' }[options.xKind]
  const from = xText(options.xKind, layout.x.domain[0])
  const to = xText(options.xKind, layout.x.domain[1])
  const values = `${valueText(layout.y.domain[0])} to ${valueText(layout.y.domain[1])}`
  return `Line chart of ${String(count)} ${count === 1 ? 'line' : 'lines'}, ${x} ${from} to ${to}, values ${values}`
}
