// Questions for exports, colours for paper, and the chart as a table.
import { expect, test } from 'vitest'
import type { Line } from '../../charts/line/types'
import { KYMOGRAPH } from '../../lib/palettes'
import { exportQuery, lightColour } from './downloads'
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
  expect(table.rows).toEqual([
    { x: '0', cells: ['1', ''] },
    { x: '10', cells: ['0.5', '−2'] },
    { x: '20', cells: ['', 'NaN'] },
  ])
  expect(table.note).toBe('')
  expect(asText(table, 'step', ',')).toBe('step,a,b\n0,1,\n10,0.5,-2\n20,,NaN')
})

test('a zoomed table has what is shown', () => {
  expect(chartTable([line('a', [0, 10], [1, 0.5])], 'step', [5, 15]).rows).toHaveLength(1)
})

test('a long table is thinned, and says so', () => {
  const many = Array.from({ length: 1000 }, (_, at) => at)
  const table = chartTable([line('a', many, many)], 'step', null)
  expect(table.rows).toHaveLength(400)
  expect([table.rows[0]?.x, table.rows.at(-1)?.x]).toEqual(['0', '999'])
  expect(table.note).toBe('400 of 1000 points, evenly chosen')
})
