// Questions for exports, colours for paper, and the chart as a table.
import { expect, test } from 'vitest'
import type { Line } from '../../charts/line/types'
import { KYMOGRAPH } from '../../lib/palettes'
import { exportQuery, lightColour, pointsNote } from './downloads'
import { ownCard } from './own_charts'
import type { Source } from './sources'
import { asText, chartTable } from './table_rows'

const style = { colour: '#000000', dash: 'solid', role: 'lead' } as const

test('every point of the drawn runs is asked for, tag by tag', () => {
  const source = (run: string, tag: string): Source => ({
    key: '',
    entry: run,
    run,
    tag,
    label: run,
    style,
    isGrowing: false,
  })
  const spec = ownCard({ id: '1', tags: ['loss'], expressions: ['loss * 2', 'other'] })
  const card = { spec, sources: [source('a', 'loss'), source('b', 'loss'), source('a', 'loss * 2')] }
  expect(exportQuery(card, 'csv')).toEqual({
    cards: [
      { tag: 'loss', runs: ['a', 'b'] },
      { expression: 'loss * 2', runs: ['a'] },
    ],
    format: 'csv',
  })
})

test('colours of the dark theme have a twin on paper', () => {
  expect(lightColour(KYMOGRAPH.dark[3] ?? '')).toBe(KYMOGRAPH.light[3])
  expect(lightColour('#123456')).toBe('#123456')
})

function line(label: string, x: number[], y: number[]): Line {
  return {
    key: label,
    label,
    data: { kind: 'points', x: Float64Array.from(x), y: Float64Array.from(y), smoothed: null },
    before: null,
    after: null,
    style,
    isGrowing: false,
  }
}

test('a table has a row for each x of any line', () => {
  const table = chartTable([line('a', [0, 10], [1, 0.5]), line('b', [10, 20], [-2, NaN])], 'step', null)
  const rows = Array.from({ length: table.size }, (_, at) => table.row(at))
  expect(rows.map(({ x, cells }) => [x, ...cells.map(({ text }) => text)])).toEqual([
    ['0', '1', ''],
    ['10', '0.5', '−2'],
    ['20', '', 'NaN'],
  ])
  expect(table.note).toBe('')
  expect(asText(table, 'step', ',')).toBe('step,a,b\n0,1,\n10,0.5,-2\n20,,NaN')
})

test('a zoomed table has what is shown', () => {
  expect(chartTable([line('a', [0, 10], [1, 0.5])], 'step', [5, 15]).size).toBe(1)
})

test('a long table has every row', () => {
  const many = Array.from({ length: 5000 }, (_, at) => at)
  const table = chartTable([line('a', many, many)], 'step', null)
  expect([table.size, table.row(0).x, table.row(4999).x, table.note]).toEqual([5000, '0', '4,999', ''])
})

test('a reduced line has a value in every row up to its end, marked where it stands in', () => {
  const last = (xs: number[], ys: number[]): Line => ({
    ...line('b', [], []),
    data: {
      kind: 'columns',
      xLast: Float64Array.from(xs),
      raw: { last: Float64Array.from(ys) },
    } as unknown as Line['data'],
  })
  const table = chartTable([line('a', [0, 5, 10, 15], [1, 2, 3, 4]), last([0, 9], [7, 8])], 'step', null)
  const cells = Array.from({ length: table.size }, (_, at) => table.row(at).cells[1])
  expect(cells.map((cell) => [cell?.text, cell?.isHeld])).toEqual([
    ['7', false],
    ['7', true],
    ['8', false],
    ['', false],
    ['', false],
  ])
  expect(table.note).toMatch(/^≈/)
})

test('a download says that points superseded by a restart are not in it', () => {
  const of = (restarts: number, part = 0) => ({ run: { restarts }, parts: [{ run: { restarts: part } }] })
  expect(pointsNote([of(0), of(0)])).toBe('every point')
  expect(pointsNote([of(0), of(1)])).toBe('without superseded points')
  expect(pointsNote([of(0, 2)])).toBe('without superseded points')
})
