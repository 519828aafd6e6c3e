// The numbers of a line, from the server's answer to the canvas: every point, or a column of pixels at a time.
import type { Numbers } from './numbers'

/** The points of a line, as they were logged. */
export interface Points {
  readonly kind: 'points'
  readonly x: Numbers
  readonly y: Numbers
  /** As long as `y`; null without smoothing. */
  readonly smoothed: Numbers | null
}

/** First, min, max and last finite value of each pixel column; NaN where there is none. */
export interface Extent {
  readonly first: Numbers
  readonly min: Numbers
  readonly max: Numbers
  readonly last: Numbers
}

/** A line with more points than pixels, a column of pixels at a time. */
export interface PixelColumns {
  readonly kind: 'columns'
  readonly xFirst: Numbers
  readonly xLast: Numbers
  readonly raw: Extent
  readonly smoothed: Extent | null
  /** How many points each represents. */
  readonly count: Numbers
  /** 1 for NaN, 2 for +inf, 4 for -inf among them, added up. */
  readonly flags: Numbers
}

/** A point outside the range, so that the line reaches the edge: x, value, smoothed value. */
export type Neighbour = readonly [x: number, y: number, smoothed: number | null]

/** In the order in which they are given to lines. */
export const DASHES = ['solid', 'dashed', 'dotted', 'dash-dotted'] as const
export type Dash = (typeof DASHES)[number]

export type Trace = Points | PixelColumns

/** What the values of a group of runs are at each x. */
export interface BandColumns {
  /** How many of its runs have any. */
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

/** What a legend explains. */
export interface LegendItem {
  readonly label: string
  readonly style: { readonly colour: string; readonly dash: Dash }
}
