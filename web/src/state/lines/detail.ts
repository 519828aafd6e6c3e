// How finely lines are requested: rounded, so that resizing, panning a little and zooming a little need no request.
import type { Range } from '../../lib/numbers'

export interface Detail {
  readonly range: Range | null
  readonly columns: number
}

const COLUMN_STEP = 256
// A line of a thousand points is then sent as it is, which takes less room than columns of pixels.
const FEWEST_COLUMNS = 512
const MOST_COLUMNS = 16_384
// With more lines than this, not every pixel of each is visible.
const MANY_LINES = 200
const FEWEST_OF_MANY = 64

/** For a plot of this many pixels that shows `range` of this many lines. The range that comes back is wider, by at least an eighth on each side. */
export function detail(range: Range | null, pixels: number, lines: number): Detail {
  const columns = thinned(Math.max(FEWEST_COLUMNS, Math.ceil(pixels / COLUMN_STEP) * COLUMN_STEP), lines)
  if (range === null) return { range, columns: Math.min(columns, MOST_COLUMNS) }
  const wide = widened(range)
  const parts = (wide[1] - wide[0]) / leastWidth(range)
  return { range: wide, columns: Math.min(Math.ceil(columns * parts), MOST_COLUMNS) }
}

function thinned(columns: number, lines: number): number {
  for (let fewer = lines; fewer > MANY_LINES && columns > FEWEST_OF_MANY; fewer /= 2) columns /= 2
  return columns
}

/** Widths come in steps of a square root of two: this is the step above. */
function stepWidth([from, to]: Range): number {
  const width = to - from || Math.abs(from) * Number.EPSILON * 4 || 1
  return 2 ** (Math.ceil(2 * Math.log2(width)) / 2)
}

function leastWidth(range: Range): number {
  return stepWidth(range) / Math.SQRT2
}

/** Both ends are on a grid of quarters of the width. */
function widened(range: Range): Range {
  const cell = stepWidth(range) / 4
  return [Math.floor(range[0] / cell - 0.5) * cell, Math.ceil(range[1] / cell + 0.5) * cell]
}
