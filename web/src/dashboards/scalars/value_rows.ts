// The tables under charts: a row for each line or band, columns for a chosen step or range.
import { natural } from '../../lib/natural'
import { change, duration, percent, step, value, values } from '../../lib/numerals'
import type { LoadedBand, LoadedLine } from '../../state/lines.svelte'
import type { Aggregate } from '../../state/facts/core'
import type { Better } from './best'
import type { Moment } from './clock'
import type { GroupLook } from './picture'
import { lineKey, type Source } from './sources'
import { nearestPoint, rangeFigures, type Measured, type Point, type RangeFigures } from './values'

export interface Chosen {
  readonly from: number
  readonly to: number | null
}

export interface ValueRow {
  readonly key: string
  readonly label: string
  readonly colour: string
  /** How many runs it stands for; null for one line. */
  readonly runs: number | null
  readonly point: Point
  readonly figures: RangeFigures | null
  readonly moment: Moment | null
  /** How far the runs of a group are spread at the end of the range. */
  readonly sdAtEnd: number
}

export interface ValueColumn {
  readonly id: string
  readonly title: string
  figure(row: ValueRow): number
  text(row: ValueRow): string
  /** Whether its figures are plain values, which have the same number of decimals in all rows. */
  readonly isPlain?: boolean
  /** Whether its best value is shown as such. */
  readonly isJudged?: boolean
}

export type MomentOf = (key: string, step: number) => Moment | null

export function lineRows(
  lines: readonly LoadedLine[],
  sources: ReadonlyMap<string, Source>,
  chosen: Chosen,
  momentOf: MomentOf,
): ValueRow[] {
  const sent = new Map(lines.map((line) => [lineKey(line.run, line.tag), line]))
  return [...sources.values()].flatMap((source): ValueRow[] => {
    const line = sent.get(source.key)
    const row = line && measured(line, chosen)
    if (!row) return []
    return [
      {
        key: source.key,
        label: source.label,
        colour: source.style.colour,
        runs: null,
        ...row,
        moment: momentOf(source.key, row.point.x),
        sdAtEnd: NaN,
      },
    ]
  })
}

export function bandRows(
  bands: readonly LoadedBand[],
  looks: ReadonlyMap<string, GroupLook>,
  centre: Aggregate['centre'],
  chosen: Chosen,
): ValueRow[] {
  return bands.flatMap((band): ValueRow[] => {
    const look = looks.get(band.group)
    const row = measured(
      { data: { kind: 'points', x: band.x, y: band[centre], smoothed: null }, before: null, after: null },
      chosen,
    )
    if (look === undefined || row === null) return []
    const end = chosen.to ?? chosen.from
    const spread = nearestPoint(
      { data: { kind: 'points', x: band.x, y: band.std, smoothed: null }, before: null, after: null },
      end,
    )
    return [
      {
        key: lineKey(band.group, band.tag),
        label: look.group.name,
        colour: look.style.colour,
        runs: band.runs,
        ...row,
        moment: null,
        sdAtEnd: spread?.value ?? NaN,
      },
    ]
  })
}

function measured(line: Measured, { from, to }: Chosen): { point: Point; figures: RangeFigures | null } | null {
  const point = nearestPoint(line, from)
  if (point === null) return null
  if (to === null) return { point, figures: null }
  const figures = rangeFigures(line, [from, to])
  return figures === null ? null : { point, figures }
}

const NONE = '–'
const plain = (number: number): string => value(number)

function column(
  id: string,
  title: string,
  figure: (row: ValueRow) => number,
  text: (figure: number, row: ValueRow) => string,
  isJudged = false,
): ValueColumn {
  return {
    id,
    title,
    figure,
    text: (row) => {
      const number = figure(row)
      return Number.isNaN(number) && row.figures === null && id !== 'smoothed' && id !== 'value'
        ? NONE
        : text(number, row)
    },
    isJudged,
    isPlain: text === plain,
  }
}

/** What is written in each row of a column, by key. */
export function columnTexts(rows: readonly ValueRow[], column: ValueColumn): ReadonlyMap<string, string> {
  const finite = rows.filter((row) => Number.isFinite(column.figure(row)))
  const aligned = column.isPlain === true ? values(finite.map((row) => column.figure(row))) : []
  return new Map([
    ...rows.map((row) => [row.key, column.text(row)] as const),
    ...aligned.map((text, at) => [finite[at]?.key ?? '', text] as const),
  ])
}

const ofRange =
  (pick: (figures: RangeFigures) => number) =>
  (row: ValueRow): number =>
    row.figures === null ? NaN : pick(row.figures)
const signed = (number: number): string => change(number)

/** TensorBoard's columns for one step. */
export const STEP_COLUMNS: readonly ValueColumn[] = [
  column('smoothed', 'Smoothed', (row) => row.point.smoothed ?? row.point.value, plain, true),
  column('value', 'Value', (row) => row.point.value, plain, true),
  column('step', 'Step', (row) => row.point.x, step),
  column('relative', 'Relative', (row) => row.moment?.relative ?? NaN, duration),
]

/** TensorBoard's columns for a range, and some more. */
export const RANGE_COLUMNS: readonly ValueColumn[] = [
  column(
    'min',
    'Min',
    ofRange((figures) => figures.min),
    plain,
    true,
  ),
  column(
    'max',
    'Max',
    ofRange((figures) => figures.max),
    plain,
    true,
  ),
  column(
    'start',
    'Start value',
    ofRange((figures) => figures.start.value),
    plain,
    true,
  ),
  column(
    'end',
    'End value',
    ofRange((figures) => figures.end.value),
    plain,
    true,
  ),
  column(
    'change',
    'Change',
    ofRange((figures) => figures.change),
    signed,
  ),
  column(
    'percent',
    '% change',
    ofRange((figures) => figures.share),
    percent,
  ),
  column(
    'startStep',
    'Start step',
    ofRange((figures) => figures.start.x),
    step,
  ),
  column(
    'endStep',
    'End step',
    ofRange((figures) => figures.end.x),
    step,
  ),
  column(
    'maxStep',
    'Step at max',
    ofRange((figures) => figures.maxX),
    step,
  ),
  column(
    'minStep',
    'Step at min',
    ofRange((figures) => figures.minX),
    step,
  ),
  column(
    'mean',
    'Mean',
    ofRange((figures) => figures.mean),
    (mean, row) => `${row.figures?.isExact === false ? '≈ ' : ''}${value(mean)}`,
    true,
  ),
  column(
    'smoothedChange',
    'Smoothed change',
    ofRange((figures) => (figures.end.smoothed ?? figures.end.value) - (figures.start.smoothed ?? figures.start.value)),
    signed,
  ),
  column(
    'slope',
    'Slope per 1k',
    ofRange((figures) => figures.slope * 1000),
    (slope) => change(slope, 3),
  ),
]

/** The columns of the full view: as in a report. */
export function reportColumns({ from, to }: Chosen, isGrouped: boolean): ValueColumn[] {
  if (to === null) return isGrouped ? [RUNS, ...STEP_COLUMNS.slice(1, 3), sd(from)] : [...STEP_COLUMNS]
  const named = (id: string, title: string): ValueColumn[] =>
    RANGE_COLUMNS.filter((one) => one.id === id).map((one) => ({ ...one, title }))
  return [
    ...(isGrouped ? [RUNS] : []),
    ...named('start', `at ${step(from)}`),
    ...named('end', `at ${step(to)}`),
    ...['change', 'min', 'max', 'mean'].flatMap((id) => RANGE_COLUMNS.filter((one) => one.id === id)),
    ...(isGrouped ? [sd(to)] : []),
    ...named('slope', 'Slope per 1k'),
  ]
}

const RUNS = column('runs', 'Runs', (row) => row.runs ?? 1, step)

function sd(at: number): ValueColumn {
  return {
    ...column(
      'sd',
      'sd at end',
      (row) => row.sdAtEnd,
      // One run has no spread.
      (figure) => (Number.isNaN(figure) ? NONE : plain(figure)),
    ),
    title: `sd at ${step(at)}`,
  }
}

export interface Order {
  readonly column: string
  readonly isDescending: boolean
}

/** What is no number comes last in either direction. */
export function sorted(
  rows: readonly ValueRow[],
  columns: readonly ValueColumn[],
  order: Order | null,
): readonly ValueRow[] {
  if (order === null) return rows
  const sign = order.isDescending ? -1 : 1
  if (order.column === 'run') return [...rows].sort((one, other) => sign * natural(one.label, other.label))
  const by = columns.find(({ id }) => id === order.column)
  if (by === undefined) return rows
  return [...rows].sort((one, other) => {
    const [first, second] = [by.figure(one), by.figure(other)]
    if (Number.isNaN(first) || Number.isNaN(second)) return Number(Number.isNaN(first)) - Number(Number.isNaN(second))
    return sign * (first - second)
  })
}

/** The best figure of a column; NaN when nobody says what is good. */
export function bestFigure(rows: readonly ValueRow[], by: ValueColumn, better: Better | null): number {
  if (by.isJudged !== true || better === null || rows.length < 2) return NaN
  const figures = rows.map((row) => by.figure(row)).filter((figure) => Number.isFinite(figure))
  return better === 'lower' ? Math.min(...figures) : Math.max(...figures)
}

/** Whether a row speaks of another step than the chosen one. */
export function isElsewhere(row: ValueRow, { from, to }: Chosen): boolean {
  if (to === null) return row.point.x !== from
  return row.figures !== null && (row.figures.start.x !== from || row.figures.end.x !== to)
}

// Pixels: above the table, and of its head and each row.
const TITLE = 28
const ROW = 22

/** Of a table with its title, in pixels: at most half of a card, so that the chart keeps the other half. */
export function valuesHeight(rows: number, cardHeight = Infinity): number {
  return Math.min(TITLE + ROW * (1 + Math.max(1, rows)), Math.floor(cardHeight / 2))
}

/** For spreadsheets: plain numbers under the titles. */
export function asCsv(rows: readonly ValueRow[], columns: readonly ValueColumn[]): string {
  const quoted = (text: string): string => (/[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)
  const figure = (number: number): string => (Number.isNaN(number) ? '' : String(number))
  const head = ['Run', ...columns.map((one) => one.title)].map(quoted).join(',')
  return [
    head,
    ...rows.map((row) => [quoted(row.label), ...columns.map((one) => figure(one.figure(row)))].join(',')),
  ].join('\n')
}
