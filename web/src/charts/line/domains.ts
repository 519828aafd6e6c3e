// What ranges of x and y a chart shows: those of its lines and bands, of a zoom, or fixed ones.
import type { Range } from '../../lib/numbers'
import { Extent, isPoint, niceDomain, symlogKnee, xDomain } from '../plot/domain'
import type { AxisDomains } from '../plot/layout'
import { firstAtLeast } from '../plot/search'
import { placesIn, type Curve } from './curves'
import { bestOf, withoutOutliers, type Stretch } from './outliers'
import type { Band, ChartOptions, ChartView } from './types'

export interface Domains extends AxisDomains {
  /** Of all data, before zooming. */
  readonly fullX: Range
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
    // The min positive x of a sorted column can only be found by searching for it.
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
    extent.add(Float64Array.of(best))
    if (data.kind === 'points') {
      stretches.push({ values: curve.main, from, to, best })
      extent.add(curve.main, from, to)
    } else {
      hasColumns = true
      const { min, max } = data.smoothed ?? data.raw
      stretches.push({ values: curve.main, low: min, high: max, from, to, best })
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
