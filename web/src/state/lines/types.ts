// What cards request and get: lines and bands, as the server sends them.
import type { Range } from '../../lib/numbers'
import type { BandColumns, Neighbour, Trace } from '../../lib/traces'
import type { XAxis } from '../facts/core'

/** One plot's worth of lines, as `POST /scalars/series` takes it. */
export interface LineRequest {
  /** A tag or an expression. */
  readonly source: { readonly tag: string } | { readonly expression: string }
  readonly runs: readonly string[]
  /** Bands instead of lines. */
  readonly groups: readonly { readonly name: string; readonly runs: readonly string[] }[] | null
  readonly x: XAxis
  /** The part that is shown; more is requested, so that moving it a little needs no other request. */
  readonly range: Range | null
  /** Device pixels across the plot. */
  readonly columns: number
  readonly smoothing: string
  readonly bootstrap: 'mean' | 'median' | 'iqm' | null
}

/** A line as the server sent it: views on its columns. With every point there, exponential smoothing is made here. */
export interface LoadedLine {
  readonly run: string
  /** The tag or the expression. */
  readonly tag: string
  readonly data: Trace
  readonly before: Neighbour | null
  readonly after: Neighbour | null
  /** Points of the whole series, and of the requested range. */
  readonly points: number
  readonly pointsInRange: number
  readonly change: number
  readonly generation: number
}

export interface LoadedBand extends BandColumns {
  readonly group: string
  readonly tag: string
}

/** What a card has to draw now. */
export interface Loaded {
  readonly asks: readonly LineRequest[]
  readonly lines: readonly LoadedLine[]
  readonly bands: readonly LoadedBand[]
  /** Points per drawn entry, for the label `12:1`; 1 when every point is there. */
  readonly ratio: number
  /** Why there is no newer answer; what was drawn stays. */
  readonly trouble: string | null
  /** Whether the answer is to the current requests. */
  readonly isCurrent: boolean
}

/** A card's standing request. */
export interface Watch {
  /** Requests something else; what is the same as before costs nothing. */
  ask(requests: readonly LineRequest[]): void
  /** A card that is not on the screen is not kept up to date. `top` is where it is on the page: the uppermost is answered first. */
  setVisible(isVisible: boolean, top?: number): void
  stop(): void
}

/** What `state/lines` offers: listeners are called at most once per answer. */
export interface LinesApi {
  watch(listener: (loaded: Loaded) => void): Watch
}
