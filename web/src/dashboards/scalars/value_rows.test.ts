// Rows and columns of the value table.
import { expect, test } from 'vitest'
import type { LoadedLine } from '../../state/lines.svelte'
import type { Source } from './sources'
import {
  asCsv,
  bestFigure,
  columnTexts,
  isElsewhere,
  lineRows,
  RANGE_COLUMNS,
  reportColumns,
  sorted,
  STEP_COLUMNS,
  valuesHeight,
} from './value_rows'

const style = { colour: '#123456', dash: 'solid', role: 'lead' } as const

function line(run: string, y: number[]): LoadedLine {
  const data = {
    kind: 'points',
    x: Float64Array.from(y, (_, at) => at * 10),
    y: Float64Array.from(y),
    smoothed: null,
  } as const
  return {
    run,
    tag: 'loss',
    data,
    before: null,
    after: null,
    points: y.length,
    pointsInRange: y.length,
    change: 1,
    generation: 1,
  }
}

function source(run: string): [string, Source] {
  const key = `${run}\0loss`
  return [key, { key, entry: run, run, tag: 'loss', label: run, style, isGrowing: false }]
}

const sources = new Map([source('run2'), source('run10'), source('absent')])
const lines = [line('run10', [4, 2, 8]), line('run2', [1, 3])]
const noMoment = (): null => null

test('a step has a row for each line that is there, in the order of the runs', () => {
  const rows = lineRows(lines, sources, { from: 12, to: null }, noMoment)
  expect(rows.map((row) => [row.label, ...STEP_COLUMNS.map((column) => column.text(row))])).toEqual([
    ['run2', '3', '3', '10', '–'],
    ['run10', '2', '2', '10', '–'],
  ])
  expect(rows.map((row) => isElsewhere(row, { from: 12, to: null }))).toEqual([true, true])
})

test('a range has its figures', () => {
  const [row] = lineRows([line('run10', [4, 2, 8])], sources, { from: 0, to: 20 }, noMoment)
  const texts = Object.fromEntries(RANGE_COLUMNS.map((column) => [column.title, row && column.text(row)]))
  expect(texts).toMatchObject({
    Min: '2',
    Max: '8',
    'Start value': '4',
    'End value': '8',
    Change: '+4',
    '% change': '+100 %',
    'Start step': '0',
    'End step': '20',
    'Step at max': '20',
    'Step at min': '10',
    Mean: '4.667',
    'Slope per 1k': '+200',
  })
})

test('rows are sorted by any column, by name naturally', () => {
  const rows = lineRows(lines, sources, { from: 0, to: 20 }, noMoment)
  const names = (column: string, isDescending: boolean): string[] =>
    sorted(rows, RANGE_COLUMNS, { column, isDescending }).map((row) => row.label)
  expect(names('max', true)).toEqual(['run10', 'run2'])
  expect(names('max', false)).toEqual(['run2', 'run10'])
  expect(names('run', false)).toEqual(['run2', 'run10'])
  expect(names('run', true)).toEqual(['run10', 'run2'])
})

test('the best figure is known where it is known what is good', () => {
  const rows = lineRows(lines, sources, { from: 0, to: 20 }, noMoment)
  const [min, , , , change] = RANGE_COLUMNS
  expect(min && bestFigure(rows, min, 'lower')).toBe(1)
  expect(min && bestFigure(rows, min, null)).toBeNaN()
  expect(change && bestFigure(rows, change, 'lower')).toBeNaN()
})

test('the report names the ends of its range', () => {
  expect(reportColumns({ from: 1000, to: 2000 }, true).map((column) => column.title)).toEqual([
    'Runs',
    'at 1,000',
    'at 2,000',
    'Change',
    'Min',
    'Max',
    'Mean',
    'sd at 2,000',
    'Slope per 1k',
  ])
  expect(reportColumns({ from: 1000, to: 2000 }, false).map((column) => column.title)).not.toContain('Runs')
})

test('figures of a column have the same number of decimals', () => {
  const chosen = { from: 0, to: null }
  const rows = lineRows([line('run2', [0.763, 1]), line('run10', [0.9024, 1])], sources, chosen, noMoment)
  const value = STEP_COLUMNS.find(({ id }) => id === 'value')
  expect(value && [...columnTexts(rows, value).values()]).toEqual(['0.7630', '0.9024'])
})

test('one run has no spread, and that is no NaN', () => {
  const [row] = lineRows([line('run2', [-1, 3, 5])], sources, { from: 0, to: 20 }, noMoment)
  const spread = reportColumns({ from: 0, to: 20 }, true).find(({ id }) => id === 'sd')
  expect(row && spread?.text({ ...row, runs: 1, sdAtEnd: NaN })).toBe('–')
  expect(row && spread?.text({ ...row, runs: 3, sdAtEnd: 0.25 })).toBe('0.25')
})

test('a spreadsheet gets plain numbers', () => {
  const rows = lineRows([line('run2', [-1, 3])], sources, { from: 0, to: null }, noMoment)
  expect(asCsv(rows, STEP_COLUMNS)).toBe('Run,Smoothed,Value,Step,Relative\nrun2,-1,-1,0,')
})

test('the table of values is as high as its rows, and leaves half of the card to the chart', () => {
  expect(valuesHeight(1, 300)).toBe(valuesHeight(0, 300))
  expect(valuesHeight(2, 300) - valuesHeight(1, 300)).toBe(22)
  expect(valuesHeight(40, 300)).toBe(150)
  expect(valuesHeight(40, 205)).toBe(102)
  expect(valuesHeight(40)).toBeGreaterThan(40 * 22)
})
