// The chart as a table: x down, lines across, every x of any line a row.
import type { Line, XKind } from '../../charts/line/types'
import type { Range } from '../../lib/numbers'
import { value } from '../../lib/numerals'
import { xText } from './labels'

export type TableLine = Pick<Line, 'key' | 'label' | 'data'>

export interface Cell {
  readonly text: string
  /** The line was sent reduced and has no point here: the last one before it stands in. */
  readonly isHeld: boolean
}

export interface TableRow {
  readonly x: string
  readonly cells: readonly Cell[]
}

export interface ChartTable {
  readonly columns: readonly { readonly key: string; readonly label: string }[]
  readonly size: number
  /** Made when it is shown: a table may have many thousand rows. */
  row(at: number): TableRow
  /** What was left out or stands in; empty when everything is there. */
  readonly note: string
}

interface Points {
  readonly xs: readonly number[]
  readonly ys: readonly number[]
  readonly isReduced: boolean
}

const MOST_LINES = 30
const NOTHING: Cell = { text: '', isHeld: false }

/** Values as they were logged; of a line that was sent in pixel columns, the last value of each. */
export function chartTable(lines: readonly TableLine[], kind: XKind, range: Range | null): ChartTable {
  const listed = lines.slice(0, MOST_LINES)
  const points = listed.map((line) => pointsOf(line, range))
  const xs = Float64Array.from(new Set(points.flatMap((each) => each.xs))).sort()
  const notes = [
    points.some(({ isReduced }) => isReduced)
      ? '≈ marks the last value before this row: there are too many points to list. Zoom in or download to get every point'
      : '',
    lines.length > listed.length ? `${String(listed.length)} of ${String(lines.length)} lines` : '',
  ]
  return {
    columns: listed.map(({ key, label }) => ({ key, label })),
    size: xs.length,
    row: (at) => {
      const x = xs[at] ?? NaN
      return { x: xText(x, kind), cells: points.map((each) => cell(each, x)) }
    },
    note: notes.filter((note) => note !== '').join('; '),
  }
}

/** `a,b` in one line per row, for spreadsheets. */
export function asText(table: ChartTable, xName: string, separator: string): string {
  const quoted = (cell: string): string => (/["\n,\t]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)
  // Spreadsheets do not read a minus sign.
  const plain = (cell: string): string => quoted(cell.replace('\u2212', '-'))
  const head = [xName, ...table.columns.map((column) => column.label)]
  const rows = Array.from({ length: table.size }, (_, at) => {
    const { x, cells } = table.row(at)
    return [x, ...cells.map(({ text }) => text)].map(plain)
  })
  return [head.map(quoted), ...rows].map((cells) => cells.join(separator)).join('\n')
}

function cell({ xs, ys, isReduced }: Points, x: number): Cell {
  let [low, high] = [0, xs.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((xs[middle] ?? NaN) <= x) low = middle + 1
    else high = middle
  }
  const at = low - 1
  const isThere = xs[at] === x
  // Behind its end a line has no values.
  if (at < 0 || (!isThere && (!isReduced || low === xs.length))) return NOTHING
  return { text: value(ys[at] ?? NaN, 6), isHeld: !isThere }
}

/** In order of x; of several points at one x, the last. */
function pointsOf({ data }: TableLine, range: Range | null): Points {
  const [from, to] = range ?? [-Infinity, Infinity]
  const [xs, ys] = data.kind === 'points' ? [data.x, data.y] : [data.xLast, data.raw.last]
  const points = new Map<number, number>()
  for (let at = 0; at < xs.length; at++) {
    const x = xs[at] ?? NaN
    if (x >= from && x <= to) points.set(x, ys[at] ?? NaN)
  }
  const sorted = [...points].sort(([one], [other]) => one - other)
  return { xs: sorted.map(([x]) => x), ys: sorted.map(([, y]) => y), isReduced: data.kind !== 'points' }
}
