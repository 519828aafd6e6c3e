// Which of the figures of a group are drawn as its middle and its band.
import type { Numbers } from '../../lib/numbers'
import type { LoadedBand } from '../../state/lines.svelte'
import type { Aggregate } from '../../state/facts/core'

export interface Spread {
  readonly centre: Numbers
  readonly low: Numbers
  readonly high: Numbers
}

export const CENTRES: readonly (readonly [Aggregate['centre'], string])[] = [
  ['mean', 'Mean'],
  ['median', 'Median'],
  ['iqm', 'IQM'],
]

export const BANDS: readonly (readonly [Aggregate['band'], string])[] = [
  ['std', '1 sd'],
  ['stderr', 'Standard error'],
  ['bootstrap', '95 % CI'],
  ['iqr', 'Quartiles'],
  ['minmax', 'Range'],
  ['none', 'None'],
]

export function spread(band: LoadedBand, aggregate: Aggregate): Spread {
  const centre = band[aggregate.centre]
  if (aggregate.band === 'minmax') return { centre, low: band.min, high: band.max }
  if (aggregate.band === 'iqr') return { centre, low: band.q25, high: band.q75 }
  if (aggregate.band === 'std') return around(centre, band.std)
  if (aggregate.band === 'stderr') return around(centre, band.stderr)
  // Until the answer with the interval has come there is no band.
  if (aggregate.band === 'bootstrap' && band.bootLow && band.bootHigh)
    return { centre, low: band.bootLow, high: band.bootHigh }
  return { centre, low: centre, high: centre }
}

function around(centre: Numbers, by: Numbers): Spread {
  const low = new Float64Array(centre.length)
  const high = new Float64Array(centre.length)
  for (let at = 0; at < centre.length; at++) {
    const middle = centre[at] ?? NaN
    const width = by[at] ?? NaN
    // One member has no deviation: the band closes on the line.
    const half = Number.isFinite(width) ? width : 0
    low[at] = middle - half
    high[at] = middle + half
  }
  return { centre, low, high }
}
