// What the cards on the screen draw: one question for all of them at a time, kept up to date as runs grow.
import type { Numbers, Range } from '../lib/numbers'
import type { Neighbour, Trace } from '../lib/traces'
import type { XAxis } from './view.svelte'

/** One plot's worth of lines, as `POST /scalars/series` takes it. */
export interface Ask {
  /** A tag or an expression. */
  readonly source: { readonly tag: string } | { readonly expression: string }
  readonly runs: readonly string[]
  /** Bands instead of lines. */
  readonly groups: readonly { readonly name: string; readonly runs: readonly string[] }[] | null
  readonly x: XAxis
  readonly range: Range | null
  readonly columns: number
  readonly smoothing: string
  readonly bootstrap: 'mean' | 'median' | 'iqm' | null
}

/** A line as the server sent it: views on its columns. */
export interface LoadedLine {
  readonly run: string
  /** The tag or the expression. */
  readonly tag: string
  readonly data: Trace
  readonly before: Neighbour | null
  readonly after: Neighbour | null
  /** Points of the whole series, and of the range that was asked for. */
  readonly points: number
  readonly pointsInRange: number
  readonly change: number
  readonly generation: number
}

export interface LoadedBand {
  readonly group: string
  readonly tag: string
  readonly runs: number
  readonly x: Numbers
  readonly count: Numbers
  readonly mean: Numbers
  readonly median: Numbers
  readonly iqm: Numbers
  readonly min: Numbers
  readonly max: Numbers
  readonly std: Numbers
  readonly stderr: Numbers
  readonly q25: Numbers
  readonly q75: Numbers
  readonly bootLow: Numbers | null
  readonly bootHigh: Numbers | null
}

/** What a card has to draw now. */
export interface Loaded {
  readonly asks: readonly Ask[]
  readonly lines: readonly LoadedLine[]
  readonly bands: readonly LoadedBand[]
  /** Points per drawn entry, for the label `12:1`; 1 when every point is there. */
  readonly ratio: number
  /** Why there is no newer answer; what was drawn stays. */
  readonly trouble: string | null
  /** Whether the answer is to the asks of now. */
  readonly isCurrent: boolean
}

/** A card's standing question. */
export interface Watch {
  /** Asks for something else; what is the same as before costs nothing. */
  ask(asks: readonly Ask[]): void
  /** A card that is not on the screen is not kept up to date. */
  setVisible(isVisible: boolean): void
  stop(): void
}

/** What `state/lines` offers: listeners are called at most once per answer. */
export interface LinesApi {
  watch(listener: (loaded: Loaded) => void): Watch
}
