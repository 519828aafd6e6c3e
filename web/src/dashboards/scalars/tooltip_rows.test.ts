// What the tooltip lists, and in which order.
import { expect, test } from 'vitest'
import type { Reading } from '../../charts/line/types'
import type { TooltipSort } from '../../state/settings.svelte'
import { tooltipRows, type Context, type Taste } from './tooltip_rows'

const readings: readonly Reading[] = [
  { key: 'run10', x: 5, y: 0.4, smoothed: 0.5, distance: 30 },
  { key: 'run2', x: 5, y: 0.2, smoothed: 0.3, distance: 10 },
  { key: 'run1', x: 5, y: NaN, smoothed: null, distance: NaN },
  { key: 'grey', x: 5, y: 0.9, smoothed: null, distance: 20 },
]
const context: Context = {
  kind: 'step',
  y: 0.48,
  nearest: 'run2',
  named: (key) => ({ label: key, colour: '#123456', isLead: key !== 'grey' }),
  clock: () => null,
  reference: null,
}
const taste: Taste = { sort: 'nearest', limit: 10, columns: ['smoothed', 'value'] }

test.each<[TooltipSort, string[]]>([
  ['nearest', ['run2', 'run10', 'run1']],
  ['nearest-y', ['run10', 'run2', 'run1']],
  ['ascending', ['run2', 'run10', 'run1']],
  ['descending', ['run10', 'run2', 'run1']],
  ['name', ['run1', 'run2', 'run10']],
])('sorted by %s', (sort, expected) => {
  expect(tooltipRows(readings, context, { ...taste, sort }).rows.map((row) => row.key)).toEqual(expected)
})

test('smoothed comes first, then what was logged', () => {
  expect(tooltipRows(readings, context, taste).rows.map((row) => row.cells)).toEqual([
    ['0.3', '0.2'],
    ['0.5', '0.4'],
    ['NaN', 'NaN'],
  ])
})

test('columns have names, and figures of one column the same number of decimals', () => {
  const uneven = [0.9024, 0.763, 1.5].map((smoothed, n) => ({ ...(readings[n] as Reading), y: smoothed, smoothed }))
  const { columns, rows } = tooltipRows(uneven, context, { ...taste, sort: 'name' })
  expect(columns).toEqual(['Smoothed', 'Value'])
  expect(rows.map((row) => row.cells[0])).toEqual(['1.5000', '0.7630', '0.9024'])
})

test('what has no row is counted, grey lines apart', () => {
  const { rows, more } = tooltipRows(readings, context, { ...taste, limit: 1 })
  expect(rows).toHaveLength(1)
  expect(more).toBe('2 more, 1 in grey')
})

test('the nearest line has a row whatever the order, a grey one too', () => {
  const listed = tooltipRows(readings, { ...context, nearest: 'grey' }, { ...taste, sort: 'ascending', limit: 2 })
  expect(listed.rows.map((row) => [row.key, row.isNearest])).toEqual([
    ['run2', false],
    ['grey', true],
  ])
})

test('grey lines are listed when there are no others', () => {
  const grey = { ...context, named: (key: string) => ({ label: key, colour: '', isLead: false }) }
  expect(tooltipRows(readings, grey, taste).rows).toHaveLength(4)
})

test('others are compared with the pinned line', () => {
  const columns = ['delta', 'step', 'wall'] as const
  const { rows } = tooltipRows(readings.slice(0, 2), { ...context, reference: 'run2' }, { ...taste, columns })
  expect(rows.map((row) => row.cells)).toEqual([
    ['', '5', '–'],
    ['+0.2', '5', '–'],
  ])
})
