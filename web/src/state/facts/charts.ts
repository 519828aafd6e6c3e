// The facts of the view that all charts share, whichever dashboard or list draws them: smoothing, scales, outliers, zoom.
import type { Range } from '../../lib/numbers'
import { flag, keyed, number, one, range, type Fact, type ValuesOf, type Word } from '../../lib/query'
import { card } from '../card_ids'
import { scale, type Scale } from './core'

export interface Zoom {
  readonly x: Range | null
  readonly y: Range | null
}

const smoothing: Word<string> = {
  // A number is what TensorBoard writes.
  read: (value) => (number(value) === undefined ? value : number(value) === 0 ? 'none' : `ema:${value}`),
  write: (value) => {
    const weight = value.startsWith('ema:') ? value.slice(4) : ''
    return (number(weight) ?? 0) === 0 ? value : weight
  },
}

const ignoreOutliers: Fact<boolean> = {
  name: 'outliers',
  default: true,
  history: 'step',
  after: 'scale',
  read: ([value]) => value !== '1',
  write: (isIgnored) => (isIgnored ? [] : ['1']),
}

const edge = (text: string): Zoom['x'] | undefined => (text === '*' ? null : range.read(text))
const zoom: Word<Zoom> = {
  read(value) {
    const [x, y] = value.split(',').map(edge)
    return x === undefined || y === undefined ? undefined : { x, y }
  },
  write: ({ x, y }) => [x, y].map((axis) => (axis === null ? '*' : range.write(axis))).join(','),
}

export const CHART_FACTS = {
  /** As the server takes it: `ema:0.6`, `none`. */
  smoothing: one('smoothing', smoothing, 'ema:0.6', { after: 'sort' }),
  yScale: one('yScale', scale, 'linear', { history: 'step', after: 'xScale' }),
  /** Cards whose y scale differs from `yScale`, by card id. */
  yScales: keyed('scale', scale, card, { history: 'step', after: 'yScale' }),
  ignoreOutliers,
  /** Whether zooming one card zooms the x of all. */
  isLinked: flag('linked', { after: 'window' }),
  /** Cards with a zoom of their own, by card id. */
  zooms: keyed('zoom', zoom, card, { after: 'linked' }),
}

type ChartValues = ValuesOf<typeof CHART_FACTS>

/** The scale of y of a card; tags may have any name, `constructor` among them. */
export function yScaleOf({ yScale, yScales }: Pick<ChartValues, 'yScale' | 'yScales'>, id: string): Scale {
  return (Object.hasOwn(yScales, id) ? yScales[id] : undefined) ?? yScale
}

/** The card's own zoom; null if it has none. */
export function zoomOf({ zooms }: Pick<ChartValues, 'zooms'>, id: string): Zoom | null {
  return (Object.hasOwn(zooms, id) ? zooms[id] : undefined) ?? null
}
