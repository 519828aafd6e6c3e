// The part of a tensor that a table has: where it begins, and the cells that fit.
import type { TensorValues } from '../../api/tensors'
import type { Range } from '../../lib/numbers'

/** What people chose; it may lie beyond the end of another run's tensor. */
export interface Slice {
  /** Positions on the axes before the last two, as far as they were chosen. */
  readonly index: readonly number[]
  readonly row: number
  readonly column: number
}

export const START: Slice = { index: [], row: 0, column: 0 }

/** Cells of a page of the table. */
export const PAGE = { rows: 50, columns: 20 } as const
/** A list is shown in rows of so many: one below the other would be a page of white. */
export const LIST_COLUMNS = 10
const LIST_PAGE = PAGE.rows * LIST_COLUMNS

/** The part to request, within the tensor; `to` is counted out. */
export interface Part {
  readonly index: readonly number[]
  readonly rows: Range
  readonly columns: Range
}

/** Sizes of the last two axes; a list is a column. */
export function sides(shape: readonly number[]): readonly [height: number, width: number] {
  if (shape.length < 2) return [shape[0] ?? 1, 1]
  return [shape.at(-2) ?? 1, shape.at(-1) ?? 1]
}

/** How many rows and columns a page has: fewer columns are no reason for more rows. */
export function pageOf(shape: readonly number[]): { readonly rows: number; readonly columns: number } {
  return shape.length === 1 ? { rows: LIST_PAGE, columns: 1 } : PAGE
}

/** The part of a tensor of this shape that is nearest to what people chose. */
export function partOf(shape: readonly number[], { index, row, column }: Slice): Part {
  const [height, width] = sides(shape)
  const page = pageOf(shape)
  const within = (from: number, count: number, size: number): Range => {
    // Whole pages from the start, so that paging back and forth shows the same ones.
    const last = Math.max(0, Math.ceil(size / count) - 1) * count
    const start = from < size ? from : last
    return [start, Math.min(start + count, size)]
  }
  return {
    index: shape.slice(0, -2).map((size, axis) => Math.min(index[axis] ?? 0, Math.max(0, size - 1))),
    rows: within(row, page.rows, height),
    columns: within(column, page.columns, width),
  }
}

/** A table as it is shown: what stands before each row and above each column, and the cells. */
export interface Grid {
  readonly heads: readonly string[]
  readonly rows: readonly { readonly head: string; readonly cells: readonly unknown[] }[]
}

/** A list in rows of ten, with `+3` above the fourth column; everything else as it is. */
export function gridOf({ shape, rows, columns, values }: TensorValues): Grid {
  const [from = 0] = rows
  const [left = 0] = columns
  if (shape.length !== 1) {
    return {
      heads: (values[0] ?? []).map((_, at) => String(left + at)),
      rows: values.map((cells, at) => ({ head: String(from + at), cells })),
    }
  }
  const flat = values.flat()
  const width = Math.min(LIST_COLUMNS, flat.length)
  const starts = Array.from({ length: Math.ceil(flat.length / LIST_COLUMNS) }, (_, at) => at * LIST_COLUMNS)
  return {
    heads: Array.from({ length: width }, (_, at) => `+${String(at)}`),
    rows: starts.map((start) => ({ head: String(from + start), cells: flat.slice(start, start + LIST_COLUMNS) })),
  }
}
