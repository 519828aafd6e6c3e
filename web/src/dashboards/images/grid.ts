// Rows and columns of the grid, and which of them are on the screen.

/** A column: a run. */
export interface GridColumn {
  readonly run: string
  readonly title: string
  readonly colour: string
}

/** A row: an item of a tag. */
export interface GridLine {
  readonly tag: string
  readonly item: number
}

/** A row for each tag with the chosen item, or for each item of each tag. */
export function linesOf(
  tags: readonly string[],
  rows: 'tags' | 'items',
  item: number,
  itemsOf: (tag: string) => number,
): readonly GridLine[] {
  if (rows === 'tags') return tags.map((tag) => ({ tag, item }))
  return tags.flatMap((tag) => Array.from({ length: itemsOf(tag) }, (_, at) => ({ tag, item: at })))
}

/** The first and the end of what is on the screen, with one more at each end. */
export function visible(
  scrolled: number,
  room: number,
  each: number,
  count: number,
): { readonly from: number; readonly to: number } {
  const from = Math.max(0, Math.min(count, Math.floor(scrolled / each)) - 1)
  const to = Math.max(from, Math.min(count, Math.ceil((scrolled + Math.max(room, 0)) / each) + 1))
  return { from, to }
}
