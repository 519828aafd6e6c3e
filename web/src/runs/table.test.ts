// Rows, columns, means and files of the run table.
import { expect, test } from 'vitest'
import type { Column, Value } from '../state/columns.svelte'
import type { Entry } from '../state/runs.svelte'
import { goodness, mean, moved, place, spread, tableRows, toCsv, varying, varySentence } from './table'

function entry(name: string): Entry {
  return {
    name,
    run: {
      name,
      start_time: null,
      end_time: null,
      change: 1,
      tags_change: 1,
      dashboards: [],
      series: 0,
      points: 0,
      hidden_points: 0,
      folded: null,
      restarts: 0,
    },
    parts: [],
  }
}

function column(
  id: string,
  section: Column['section'],
  values: Readonly<Record<string, Value>> = {},
  better: Column['better'] = null,
): Column {
  return {
    id,
    section,
    isTrace: id.startsWith('trace:'),
    subject: id,
    stat: null,
    title: id,
    longTitle: id,
    isNumeric: true,
    better,
    value: (run) => values[run] ?? null,
    format: (value) => String(value),
  }
}

const ENTRIES = ['a', 'b', 'c'].map(entry)
const ACC = column('acc', 'metric', { a: 0.5, b: 0.9, c: NaN }, 'higher')
const LOSS = column('loss', 'metric', { a: 2, b: 1 }, 'lower')

test('runs stand under their group, closed groups alone, others at the end', () => {
  const [a, b, c] = ENTRIES as [Entry, Entry, Entry]
  const rows = tableRows({
    groups: [
      { key: 'x', name: 'x', entries: [a], isRest: false },
      { key: 'y', name: 'y', entries: [b], isRest: false },
    ],
    totals: new Map([['x', 5]]),
    isOpen: (group) => group.key === 'x',
    others: [c],
  })
  expect(
    rows.map((row) => (row.kind === 'group' ? `${row.key} ${String(row.total)}` : `${row.key} ${String(row.isMatch)}`)),
  ).toEqual(['group:x 5', 'run:a true', 'group:y 1', 'run:c false'])
})

test('a group without a name has no row', () => {
  expect(
    tableRows({
      groups: [{ key: '', name: '', entries: ENTRIES, isRest: false }],
      totals: new Map(),
      isOpen: () => false,
      others: [],
    }).map((row) => row.kind),
  ).toEqual(['run', 'run', 'run'])
})

test('columns stand by section, the last one takes what is left', () => {
  const placed = place(
    [column('note', 'about'), ACC, column('lr', 'hparam'), LOSS],
    { lr: 50, acc: 60, loss: 70, note: 80, 'about:name': 100 },
    500,
  )
  expect(placed.columns.map((one) => [one.column.id, one.left, one.width, one.isFirst])).toEqual([
    ['lr', 100, 50, true],
    ['acc', 150, 60, true],
    ['loss', 210, 70, false],
    ['note', 280, 220, true],
  ])
  expect(placed.sections.map(({ title, left, width }) => [title, left, width])).toEqual([
    ['Hyper-parameters', 100, 50],
    ['Metrics', 150, 130],
    ['Details', 280, 220],
  ])
  expect(place([ACC], { acc: 600, 'about:name': 100 }, 500).width).toBe(700)
})

test('a column moves among those of its section', () => {
  const columns = ['h1', 'h2', 'h3'].map((id) => column(id, 'hparam')).concat(ACC)
  expect(moved(columns, 'h1', 1)).toEqual(['h2', 'h1', 'h3', 'acc'])
  expect(moved(columns, 'h3', -2)).toEqual(['h3', 'h1', 'h2', 'acc'])
  expect(moved(columns, 'h1', 9)).toEqual(['h2', 'h3', 'h1', 'acc'])
  expect(moved(columns, 'acc', -1)).toEqual(['h1', 'h2', 'h3', 'acc'])
})

test('values are placed between the worst and the best', () => {
  expect(spread(ACC, ENTRIES)).toEqual({ best: 0.9, worst: 0.5, size: 0.9 })
  expect(spread(LOSS, ENTRIES)).toEqual({ best: 1, worst: 2, size: 2 })
  expect(goodness(spread(LOSS, ENTRIES), 1)).toBe(1)
  expect(goodness(spread(LOSS, ENTRIES), 2)).toBe(0)
  expect(goodness(spread(ACC, ENTRIES), NaN)).toBeNull()
  expect(spread(column('x', 'metric'), ENTRIES)).toEqual({ best: null, worst: null, size: 0 })
})

test('a mean is of the values that are finite', () => {
  expect(mean(ACC, ENTRIES)).toBeCloseTo(0.7)
  expect(mean(column('x', 'metric'), ENTRIES)).toBeNull()
})

test('what varies in a group is told', () => {
  const hparams = new Map([
    [
      'a',
      new Map([
        ['lr', 1],
        ['wd', 1],
        ['same', 1],
      ]),
    ],
    [
      'b',
      new Map([
        ['lr', 2],
        ['same', 1],
      ]),
    ],
  ])
  const names = varying([entry('a'), entry('b')], (run) => hparams.get(run) ?? new Map())
  expect(names).toEqual(['lr', 'wd'])
  expect(varySentence(names)).toBe('lr and wd vary')
  expect(varySentence(['lr'])).toBe('lr varies')
  expect(varySentence(['a', 'b', 'c', 'd', 'e'])).toBe('a, b, c and 2 more vary')
  expect(varySentence([])).toBe('')
})

test('a file has every value in full, and quotes what needs it', () => {
  const note = column('note', 'about', { a: 'say "hi", twice', b: null })
  const groups = [{ key: 'g', name: 'g', entries: ENTRIES.slice(0, 2), isRest: false }]
  expect(toCsv([note, ACC, column('trace:x', 'metric')], groups)).toBe(
    'run,group,acc,note\r\na,g,0.5,"say ""hi"", twice"\r\nb,g,0.9,\r\n',
  )
  expect(toCsv([ACC], [{ key: '', name: '', entries: ENTRIES, isRest: false }])).toBe(
    'run,acc\r\na,0.5\r\nb,0.9\r\nc,nan\r\n',
  )
})
