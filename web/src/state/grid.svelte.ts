// How many cards fit side by side: measured by the grid, shown by the toolbar.

const MIN_WIDTH = 320
const DEFAULT_COLUMNS = 3

export class GridSize {
  /** Of the grid, in pixels; 0 before it is known. */
  width = $state(0)

  get fitting(): number {
    return Math.max(1, Math.floor(this.width / MIN_WIDTH))
  }

  /** How many there are, of `chosen` ones; 0 for no choice. */
  columns(chosen: number): number {
    return Math.min(chosen || DEFAULT_COLUMNS, this.fitting)
  }
}
