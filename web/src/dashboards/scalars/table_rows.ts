// The chart as a table: x down, lines across.
import type { Line, XKind } from '../../charts/line/types'
import type { Range } from '../../lib/numbers'
import { value } from '../../lib/numerals'
import { xText } from './labels'

export interface ChartTable {
  readonly columns: readonly { readonly key: string; readonly label: string }[]
  readonly rows: readonly { readonly x: string; readonly cells: readonly string[] }[]
  /** What was left out; empty when everything is there. */
  readonly note: string
}

const MOST_ROWS = 400
const MOST_LINES = 30

/** Values as they were logged; of pixel columns the last of each. */
export function chartTable(lines: readonly Line[], kind: XKind, range: Range | null): ChartTable {
  const listed = lines.slice(0, MOST_LINES)
  const columns = listed.map(({ key, label }) => ({ key, label }))
  const values = listed.map((line) => pointsOf(line, range))
  const all = [...new Set(values.flatMap((points) => [...points.keys()]))].sort((one, other) => one - other)
  const xs = thinned(all)
  const rows = xs.map((x) => ({ x: xText(x, kind), cells: values.map((points) => text(points.get(x))) }))
  const notes = [
    all.length > xs.length ? `${String(xs.length)} of ${String(all.length)} points, evenly chosen` : '',
    lines.length > listed.length ? `${String(listed.length)} of ${String(lines.length)} lines` : '',
    listed.some((line) => line.data.kind === 'columns') ? 'reduced; zoom in or download for every point' : '',
  ]
  return { columns, rows, note: notes.filter((note) => note !== '').join('; ') }
}

/** `a,b` in one line per row, for spreadsheets. */
export function asText(table: ChartTable, xName: string, separator: string): string {
  const quoted = (cell: string): string => (/["\n,\t]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)
  // A minus sign is none to a spreadsheet.
  const plain = (cell: string): string => quoted(cell.replace('\u2212', '-'))
  const head = [xName, ...table.columns.map((column) => column.label)]
  return [head.map(quoted), ...table.rows.map((row) => [row.x, ...row.cells].map(plain))]
    .map((cells) => cells.join(separator))
    .join('\n')
}

function text(number: number | undefined): string {
  return number === undefined ? '' : value(number, 6)
}

function pointsOf(line: Line, range: Range | null): Map<number, number> {
  const [from, to] = range ?? [-Infinity, Infinity]
  const [xs, ys] = line.data.kind === 'points' ? [line.data.x, line.data.y] : [line.data.xLast, line.data.raw.last]
  const points = new Map<number, number>()
  for (let at = 0; at < xs.length; at++) {
    const x = xs[at] ?? NaN
    if (x >= from && x <= to) points.set(x, ys[at] ?? NaN)
  }
  return points
}

function thinned(xs: readonly number[]): readonly number[] {
  if (xs.length <= MOST_ROWS) return xs
  const every = (xs.length - 1) / (MOST_ROWS - 1)
  return Array.from({ length: MOST_ROWS }, (_, at) => xs[Math.round(at * every)] ?? NaN)
}
