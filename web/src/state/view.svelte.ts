// What a colleague must see when given the link: one field per fact, all of them in the URL.
import type { Range } from '../lib/numbers'

export type XAxis = 'step' | 'relative_time' | 'wall_time' | { readonly tag: string }
export type Scale = 'linear' | 'log' | 'symlog'
export type GroupBy =
  | { readonly kind: 'none' | 'folder' | 'seed' }
  | { readonly kind: 'regex'; readonly pattern: string }
  | { readonly kind: 'hparam'; readonly name: string }
export type ColourBy =
  | { readonly kind: 'run' | 'group' }
  | { readonly kind: 'regex'; readonly pattern: string }
  | { readonly kind: 'column'; readonly column: string; readonly brush?: Brush }

/** Only runs with a value in this range are in colour. */
export interface Brush {
  readonly column: string
  readonly range: Range
}

/** Which runs are drawn: what holds at the start, and what was changed by hand since. */
export interface Choice {
  readonly base: 'start' | 'all' | 'none'
  readonly shown: readonly string[]
  readonly hidden: readonly string[]
}

/** Bands in place of the lines of each group. */
export interface Aggregate {
  readonly centre: 'mean' | 'median' | 'iqm'
  readonly band: 'std' | 'stderr' | 'minmax' | 'iqr' | 'bootstrap' | 'none'
  /** Whether the members are drawn as hairlines. */
  readonly members: boolean
}

export const USUAL_BAND: Aggregate = { centre: 'mean', band: 'std', members: true }

/** A chart that people made: several tags, or expressions over tags. */
export interface OwnChart {
  readonly id: string
  readonly tags: readonly string[]
  readonly expressions: readonly string[]
}

/** A range of y for all tags that match. */
export interface YRange {
  readonly pattern: string
  readonly range: Range
}

export interface Zoom {
  readonly x: Range | null
  readonly y: Range | null
}

/** `lib/query.ts` writes and reads these; this is what holds when the URL is silent. */
export const USUAL = {
  dashboard: 'scalars',
  runFilter: '',
  tagFilter: '',
  choice: { base: 'start', shown: [], hidden: [] } as Choice,
  groupBy: { kind: 'folder' } as GroupBy,
  colourBy: { kind: 'run' } as ColourBy,
  sortBy: null as { readonly column: string; readonly descending: boolean } | null,
  /** As the server takes it: `ema:0.6`, `none`. */
  smoothing: 'ema:0.6',
  x: 'step' as XAxis,
  xScale: 'linear' as Scale,
  yScale: 'linear' as Scale,
  /** Tags whose y scale differs from `yScale`. */
  yScales: {} as Readonly<Record<string, Scale>>,
  ignoreOutliers: true,
  /** The window of x that all cards show; null for everything. */
  window: null as Range | null,
  /** Whether zooming one card zooms the x of all. */
  isLinked: false,
  /** Cards with a zoom of their own, by card id. */
  zooms: {} as Readonly<Record<string, Zoom>>,
  /** The chosen step or range. */
  selected: null as { readonly from: number; readonly to: number | null } | null,
  aggregate: null as Aggregate | null,
  pinnedCards: null as readonly string[] | null,
  charts: [] as readonly OwnChart[],
  yRanges: [] as readonly YRange[],
  /** The card shown full size. */
  full: null as string | null,
  collapsed: [] as readonly string[],
  /** The run table in place of the rail. */
  isTable: false,
}

export type ViewValues = typeof USUAL

/** The scale of y of a card; tags may have any name, `constructor` among them. */
export function yScaleOf({ yScale, yScales }: Pick<ViewValues, 'yScale' | 'yScales'>, id: string): Scale {
  return (Object.hasOwn(yScales, id) ? yScales[id] : undefined) ?? yScale
}

/** The card's own zoom; null if it has none. */
export function zoomOf({ zooms }: Pick<ViewValues, 'zooms'>, id: string): Zoom | null {
  return (Object.hasOwn(zooms, id) ? zooms[id] : undefined) ?? null
}

export class View {
  /** All facts as one object, another one after each change. */
  whole = $state.raw<ViewValues>({ ...USUAL })
  readonly #facts = factsOf(() => this.whole)

  /** Whoever reads one fact is told when that one changes, and not when a card is panned. */
  get values(): ViewValues {
    return this.#facts
  }

  /** Changes one fact; the URL follows. */
  set<Name extends keyof ViewValues>(name: Name, value: ViewValues[Name]): void {
    this.whole = { ...this.whole, [name]: value }
  }
}

/** An object of which each field is derived by itself. */
function factsOf(read: () => ViewValues): ViewValues {
  const facts = {}
  for (const name of Object.keys(USUAL) as (keyof ViewValues)[]) {
    const fact = $derived(read()[name])
    Object.defineProperty(facts, name, { get: () => fact, enumerable: true })
  }
  return facts as ViewValues
}
