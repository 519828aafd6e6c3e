// Links of the whole board: any view to an address and back, links that people have, and those of TensorBoard.
import { describe, expect, test } from 'vitest'
import type { Facts, Parameters, ValuesOf } from '../lib/query'
import type { LinkValues } from '../state/link'
import { SHARED_FACTS, View, type ViewValues } from '../state/view.svelte'
import { DASHBOARDS } from '.'
import { scalarFacts } from './scalars/facts'

type Values = ViewValues & ValuesOf<typeof scalarFacts>

const FACTS = { ...SHARED_FACTS, ...scalarFacts }
const format = new View(DASHBOARDS.map(({ facts = {} }) => facts)).link

function readLink(query: string, fragment = ''): { values: Values; others: Parameters } {
  const { values, others } = format.read(query, fragment)
  const named = Object.entries<Facts[string]>(FACTS).map(([key, { name }]) => [key, values[name]])
  return { values: Object.fromEntries(named) as Values, others }
}

function writeLink({ values, others }: { values: Values; others: Parameters }): string {
  const given: LinkValues = values
  const named = Object.entries<Facts[string]>(FACTS).map(([key, { name }]): [string, unknown] => [name, given[key]])
  return format.write({ values: { ...format.defaults, ...Object.fromEntries(named) }, others })
}

const DEFAULTS = readLink('').values

/** Numbers that are the same in every run of the test. */
function dice(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

const PIECES = [
  'loss',
  'train/',
  'a b',
  ',',
  '\\',
  ';',
  ':',
  '..',
  '+',
  '-',
  '&',
  '=',
  '%',
  '#',
  '?',
  'ä',
  '損失',
  '🙂',
  '"',
  '<b>',
  '\n',
  '*',
  'none',
  'all',
  '',
]

function anyView(random: () => number): Values {
  const pick = <T>(...options: readonly T[]): T => options[Math.floor(random() * options.length)] as T
  const name = (): string => Array.from({ length: 1 + Math.floor(random() * 4) }, () => pick(...PIECES)).join('')
  const names = (): string[] => Array.from({ length: Math.floor(random() * 4) }, name)
  const card = (): string =>
    `${pick('scalars', 'images', 'tensors')}:${pick('', 'images:', 'scalars:', 'runs/')}${name()}`
  const cards = (): string[] => Array.from({ length: Math.floor(random() * 4) }, card)
  const value = (): number => pick(0, 1, -1, 0.1, 1e-9, 1.5e21, 31_250, -2.75, Number((random() * 1e6).toPrecision(4)))
  const span = (): readonly [number, number] => {
    const [a, b] = [value(), value()]
    return [Math.min(a, b), Math.max(a, b)]
  }
  return {
    dashboard: pick('scalars', 'images', name()),
    runFilter: pick('', name()),
    tagFilter: pick('', name()),
    choice: { base: pick('start', 'all', 'none'), shown: names(), hidden: names() },
    groupBy: pick(
      { kind: 'none' },
      { kind: 'folder' },
      { kind: 'seed' },
      { kind: 'regex', pattern: name() },
      { kind: 'hparam', name: name() },
    ),
    colourBy: pick(
      { kind: 'run' },
      { kind: 'group' },
      { kind: 'regex', pattern: name() },
      { kind: 'column', column: name() },
      { kind: 'column', column: name(), brush: { column: name(), range: [-1.5, 2e-5] } },
    ),
    sortBy: pick(null, { column: name(), descending: pick(true, false) }),
    smoothing: pick('none', 'ema:0.6', 'ema:0', 'ema:0.999', 'mean:10', 'gaussian:2.5'),
    x: pick<Values['x']>('step', 'relative_time', 'wall_time', { tag: name() }),
    xScale: pick('linear', 'log', 'symlog'),
    yScale: pick('linear', 'log', 'symlog'),
    yScales: Object.fromEntries(cards().map((id) => [id, pick('linear', 'log', 'symlog')])),
    ignoreOutliers: pick(true, false),
    window: pick(null, span()),
    isLinked: pick(true, false),
    zooms: Object.fromEntries(cards().map((id) => [id, { x: pick(null, span()), y: pick(null, span()) }])),
    selected: pick(null, { from: value(), to: null }, { from: span()[0], to: 1.5e21 }),
    ownSteps: pick(null, {}, Object.fromEntries(cards().map((id) => [id, value()]))),
    aggregate: pick(null, {
      centre: pick('mean', 'median', 'iqm'),
      band: pick('std', 'none', 'bootstrap'),
      members: pick(true, false),
    }),
    pinnedCards: pick(null, [], [...new Set(cards())]),
    charts: [...new Set(names())].map((id) => ({ id, tags: names(), expressions: names() })),
    yRanges: names().map((pattern) => ({ pattern, range: span() })),
    momentRun: pick(null, name()),
    momentTag: pick(null, name()),
    momentReference: pick(null, value()),
    momentIn: pick('view', 'panel'),
    full: pick(null, card()),
    collapsed: pick([], cards(), [`runs/regex/${name()}`, 'runs/none/', ...cards()]),
    isTable: pick(true, false),
  }
}

describe('an address', () => {
  test('brings back any view, beside what is not ours', () => {
    const random = dice(7)
    for (let n = 0; n < 400; n++) {
      const link = {
        values: anyView(random),
        others: [
          ['token2', 'x&y'],
          ['token2', ''],
        ] as const,
      }
      const address = new URL(`http://board/${writeLink(link)}`)
      expect(readLink(address.search)).toEqual(link)
    }
  })

  test('is empty for the default view', () => {
    expect(writeLink({ values: { ...DEFAULTS }, others: [] })).toBe('')
  })

  test('can be read by people', () => {
    const values: Values = {
      ...DEFAULTS,
      smoothing: 'ema:0.9',
      x: 'relative_time',
      window: [0, 3600],
      full: 'scalars:train/loss',
      choice: { base: 'none', shown: ['sgd/seed 1'], hidden: [] },
      pinnedCards: ['scalars:val/acc', 'images:val/acc'],
    }
    expect(writeLink({ values, others: [] })).toBe(
      '?runs=none&runs=%2Bsgd/seed+1&smoothing=0.9&x=relative&window=0..3600&pin=%2Bval/acc&pin=%2Bimages:val/acc&full=train/loss',
    )
  })

  test.each([
    '?window=5..1',
    '?window=a..b',
    '?window=1..2..3',
    '?window=',
    '?x=sideways',
    '?xScale=cubic',
    '?at=soon',
    '?bands=mean',
    '?zoom=1..2;loss',
    '?yRange=..;loss',
    '?sort=lr',
    '?group=by',
    '?colour=red',
    '?chart=',
    '?chart=a,b',
    '?scale=loss',
  ])('of which a part is invalid has the default there: %s', (query) => {
    expect(readLink(query).values).toEqual(DEFAULTS)
  })
})

test('what an address has twice of a card is read once', () => {
  const { values } = readLink('?pin=%2Bloss&pin=%2Bloss&chart=1,1,a&chart=1,1,b&chart=2,1,a')
  expect(values.pinnedCards).toEqual(['scalars:loss'])
  expect(values.charts.map(({ id, tags }) => [id, tags])).toEqual([
    ['1', ['b']],
    ['2', ['a']],
  ])
})

test('a link from before cards named their dashboard is about scalars', () => {
  const { values } = readLink(
    '?full=train:loss&pin=%2Bchart:1&pin=%2Ba:b/c&zoom=1..2,*;loss&scale=log;loss&closed=train/&closed=runs/&closed=pinned&closed=runs/folder/a',
  )
  expect(values).toMatchObject({
    full: 'scalars:train:loss',
    pinnedCards: ['scalars:chart:1', 'scalars:a:b/c'],
    zooms: { 'scalars:loss': { x: [1, 2], y: null } },
    yScales: { 'scalars:loss': 'log' },
    collapsed: ['scalars:train/', 'scalars:runs/', 'scalars:pinned', 'runs/folder/a'],
  })
})

test('the parameters are in the order that links have always had', () => {
  const order =
    'tab runFilter tagFilter runs group colour sort smoothing x xScale yScale scale outliers window linked zoom at ownStep bands pin chart yRange full closed table'
  const listed = format.facts.map(({ name }) => name)
  expect(listed.slice(0, order.split(' ').length).join(' ')).toBe(order)
})

test('facts of a dashboard carry its name, unless they are older than other dashboards', () => {
  const own = DASHBOARDS.filter(({ name }) => name !== 'scalars').flatMap(({ name, facts = {} }) =>
    Object.values(facts).filter((fact) => !fact.name.startsWith(`${name}.`)),
  )
  expect(own).toEqual([])
})

describe('a link to TensorBoard', () => {
  test('has its smoothing, filters, colours and pins', () => {
    const pins = JSON.stringify([
      { plugin: 'scalars', tag: 'val/acc' },
      { plugin: 'images', tag: 'x', runId: 'r', sample: 0 },
    ])
    const query = `?smoothing=0.85&tagFilter=loss&runFilter=sgd%7Cadam&runColorGroup=regex:lr(.*)&pinnedCards=${encodeURIComponent(pins)}&darkMode=true`
    const { values, others } = readLink(query, '#timeseries')
    expect(values).toEqual({
      ...DEFAULTS,
      smoothing: 'ema:0.85',
      tagFilter: 'loss',
      runFilter: 'sgd|adam',
      colourBy: { kind: 'regex', pattern: 'lr(.*)' },
      pinnedCards: ['scalars:val/acc'],
    })
    expect(others).toEqual([['darkMode', 'true']])
  })

  test('without smoothing has none', () => {
    expect(readLink('?smoothing=0').values.smoothing).toBe('none')
  })

  test('leads to its dashboard', () => {
    expect(readLink('', '#scalars').values.dashboard).toBe('scalars')
    expect(readLink('', '#timeseries').values.dashboard).toBe('scalars')
    expect(readLink('', '#images').values.dashboard).toBe('images')
    expect(readLink('', '#distributions').values.dashboard).toBe('histograms')
    expect(readLink('', '#elsewhere').values).toEqual(DEFAULTS)
    const { values } = readLink('', '#scalars&_smoothingWeight=0.3&regexInput=sgd&_ignoreYOutliers=false')
    expect(values).toEqual({ ...DEFAULTS, smoothing: 'ema:0.3', runFilter: 'sgd', ignoreOutliers: false })
  })

  test('with colours by experiment or by run', () => {
    expect(readLink('?runColorGroup=experiment').values.colourBy).toEqual({ kind: 'group' })
    expect(readLink('?runColorGroup=run').values.colourBy).toEqual({ kind: 'run' })
    expect(readLink('?runColorGroup=regex_by_exp:(a)').values.colourBy).toEqual({ kind: 'regex', pattern: '(a)' })
  })

  test('with pins that are no JSON is a link all the same', () => {
    expect(readLink('?pinnedCards=%7B').values).toEqual(DEFAULTS)
  })
})
