// Everything that is drawn of a line chart at one moment.
import type { LegendItem } from '../../lib/traces'
import type { Layout } from '../plot/layout'
import type { Curve } from './curves'
import type { Band, ChartOptions, ChartTheme, Mark } from './types'

export interface Picture {
  readonly layout: Layout
  readonly curves: readonly Curve[]
  readonly bands: readonly Band[]
  readonly marks: readonly Mark[]
  readonly options: ChartOptions
  readonly theme: ChartTheme
}

/** Bands and lines in colour. */
export function legendItems({ bands, curves }: Pick<Picture, 'bands' | 'curves'>): LegendItem[] {
  const lines = curves.map((curve) => curve.line)
  return [...bands, ...lines.filter((line) => line.style.role === 'lead')]
}
