// Columns of runs: what their ids mean, which values are better, which are chosen at first.
import { expect, test } from 'vitest'
import { compareValues, Columns, exact, figure, type Value } from './columns.svelte'
import type { HParam } from './hparams.svelte'
import type { Entry } from './runs.svelte'
import type { Summary } from './summaries.svelte'

const SUMMARY: Summary = {
  count: 5,
  firstStep: 0,
  lastStep: 900,
  firstTime: 0,
  lastTime: 0,
  last: 0.5,
  finiteLast: 0.5,
  min: 0.25,
  minStep: 700,
  max: 2,
  maxStep: 0,
  nanCount: 1,
  firstNan: 800,
}

function board(
  hparams: Readonly<Record<string, Readonly<Record<string, HParam>>>>,
  tags: readonly string[],
): { readonly columns: Columns; readonly curation: { better: ReadonlyMap<string, 'lower' | 'higher'> } } {
  const byRun = new Map(Object.entries(hparams).map(([run, values]) => [run, new Map(Object.entries(values))]))
  const names = [...new Set([...byRun.values()].flatMap((values) => [...values.keys()]))]
  const curation = $state({ better: new Map<string, 'lower' | 'higher'>(), of: () => ({ tags: [] }) })
  const entry: Entry = {
    name: 'a',
    run: {
      name: 'a',
      start_time: 1000,
      end_time: 4700,
      change: 1,
      tags_change: 1,
      dashboards: [],
      series: 1,
      points: 1234,
      hidden_points: 0,
      folded: null,
      restarts: 0,
    },
    parts: [],
  }
  const columns = new Columns({
    runs: { byName: new Map([['a', entry]]) },
    tags: { all: tags.map((tag) => ({ tag, runs: 2, displayName: '', description: '' })) },
    hparams: { names, byRun, of: (run) => byRun.get(run) ?? new Map() },
    summaries: { of: (tag) => (tags.includes(tag) ? new Map([['a', SUMMARY]]) : new Map()) },
    curation,
  })
  return { columns, curation }
}

const HPARAMS = {
  a: { lr: 0.1, model: 'r18', depth: 2, amp: true },
  b: { lr: 0.01, model: 'r18', depth: '3', amp: true },
}

test.each([
  ['hparam:lr', 'lr', 0.1, '0.1'],
  ['hparam:model', 'model', 'r18', 'r18'],
  ['hparam:amp', 'amp', true, 'true'],
  ['hparam:none', 'none', null, ''],
  ['metric:val/acc:last', 'acc last', 0.5, '0.5000'],
  ['metric:val/acc:best', 'acc best', 2, '2.0000'],
  ['metric:val/loss:best', 'val/loss best', 0.25, '0.2500'],
  ['metric:val/loss:step', 'at step', 700, '700'],
  ['metric:lr:step', 'at step', 900, '900'],
  ['metric:lr:best', 'lr best', null, ''],
  ['metric:val/loss:first_nan', 'val/loss first NaN', 800, '800'],
  ['metric:a:b:max', 'a:b max', null, ''],
  ['trace:val/acc', 'val/acc', null, ''],
  ['about:duration', 'duration', 3700, '1 h 1 m'],
  ['about:points', 'points', 1234, '1,234'],
  ['about:tags', 'tags', null, ''],
] as const)('%s', (id, title, value, text) => {
  const column = board(HPARAMS, ['val/acc', 'val/loss', 'train/loss', 'lr']).columns.get(id)
  expect([column?.title, column?.value('a'), column?.format(column.value('a'))]).toEqual([title, value, text])
})

test.each([
  '',
  'lr',
  'hparam:',
  'metric:val/acc',
  'metric:val/acc:median',
  'about:weight',
  'other:x',
  'about:constructor',
  'metric:val/acc:toString',
])('"%s" is no column', (id) => {
  expect(board(HPARAMS, ['val/acc']).columns.get(id)).toBeNull()
})

test('a column is of numbers when all its values are', () => {
  const { columns } = board(HPARAMS, [])
  expect(['lr', 'depth', 'model'].map((name) => columns.get(`hparam:${name}`)?.isNumeric)).toEqual([true, false, false])
})

test('what people say of a metric counts before its name', () => {
  const { columns, curation } = board({}, ['val/acc', 'strange'])
  expect([columns.better('val/acc'), columns.better('strange')]).toEqual(['higher', null])
  curation.better = new Map([
    ['val/acc', 'lower'],
    ['strange', 'higher'],
  ])
  expect(columns.get('metric:val/acc:best')?.value('a')).toBe(0.25)
  expect(columns.get('metric:strange:best')?.value('a')).toBe(2)
})

test('at first there are hyper-parameters that vary, and what runs are judged by', () => {
  const { columns } = board(HPARAMS, ['lr', 'train/loss', 'val/acc', 'val/loss', 'grad_norm'])
  expect(columns.varying).toEqual(['lr', 'depth'])
  expect(columns.tableDefaults).toEqual([
    'hparam:lr',
    'hparam:depth',
    'metric:val/acc:best',
    'metric:val/acc:last',
    'metric:val/acc:step',
    'trace:val/acc',
    'metric:val/loss:best',
    'trace:val/loss',
    'about:duration',
    'about:tags',
    'about:note',
  ])
  expect(columns.railDefaults).toEqual(['metric:val/loss:best', 'metric:val/acc:best', 'trace:val/loss'])
  expect(columns.tagsOf(columns.tableDefaults)).toEqual(['val/acc', 'val/loss'])
})

test('a board of which nothing is known to be better shows last values', () => {
  const { columns } = board({}, ['x', 'y'])
  expect(columns.tableDefaults.slice(0, 4)).toEqual(['metric:x:last', 'metric:x:step', 'trace:x', 'metric:y:last'])
  expect(board({}, []).columns.tableDefaults).toEqual(['about:duration', 'about:tags', 'about:note'])
})

test('numbers are sorted by size, before texts; what is missing is last either way', () => {
  const values: readonly Value[] = ['b', null, 10, NaN, 9, 'a10', 'a2', -1]
  const sorted = (isDescending: boolean): readonly Value[] =>
    [...values].sort((a, b) => compareValues(a, b, isDescending))
  expect(sorted(false)).toEqual([-1, 9, 10, 'a2', 'a10', 'b', NaN, null])
  expect(sorted(true)).toEqual([10, 9, -1, 'b', 'a10', 'a2', NaN, null])
})

test('equal values are in the order of their names', () => {
  const { columns } = board({ a10: { x: 1 }, a2: { x: 1 }, b: { x: 0 } }, [])
  expect(['b', 'a10', 'a2', 'c'].sort(columns.compare('hparam:x', true))).toEqual(['a2', 'a10', 'b', 'c'])
})

test.each([
  [0.001, '0.001'],
  [0.0005, '0.0005'],
  [12345, '12345'],
  [50_000_000, '50000000'],
  [1234567, '1234567'],
  [0.1 + 0.2, '0.3'],
  [1e-4, '0.0001'],
  [1e-7, '1e-7'],
  [Math.fround(0.1), '0.1'],
  [-2, '-2'],
  [0, '0'],
])('the hyper-parameter %d is written %s', (value, text) => {
  expect(exact(value)).toBe(text)
})

test.each([
  [0.947, 1, '0.9470'],
  [0.947, 50, '0.947'],
  [12.3456, 50, '12.346'],
  [123.4, 500, '123.40'],
  [0.0001234, 0.001, '123.4µ'],
  [54321, 60000, '54.32k'],
  [NaN, 1, 'NaN'],
  [-0.5, 1, '−0.5000'],
])('the metric %d in a column up to %d is written %s', (value, size, text) => {
  expect(figure(value, size)).toBe(text)
})
