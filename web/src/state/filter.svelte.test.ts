// The filter over a small board: what matches, what is kept while typing, why runs are left out.
import { flushSync } from 'svelte'
import { expect, test } from 'vitest'
import { Columns } from './columns.svelte'
import type { RunCuration } from './curation.svelte'
import { Filter } from './filter.svelte'
import type { HParam } from './hparams.svelte'
import type { Entry } from './runs.svelte'
import type { Summary } from './summaries.svelte'
import { View } from './view.svelte'

const NAMES = ['sweep/adam-1', 'sweep/adam-2', 'sweep/sgd-1', 'base/lr=0.1']
const LR = [0.001, 0.01, 0.1, null]
const ACC = [0.95, 0.8, 0.93, 0.5]

function entry(name: string, at: number): Entry {
  return {
    name,
    run: {
      name,
      start_time: 100 * at,
      end_time: 100 * at + 50,
      change: 1,
      tags_change: 1,
      dashboards: [],
      series: 1,
      points: 10 + at,
      hidden_points: 0,
      folded: null,
      restarts: 0,
    },
    parts: [],
  }
}

function summary(max: number): Summary {
  return {
    count: 5,
    firstStep: 0,
    lastStep: 4,
    firstTime: 0,
    lastTime: 0,
    last: max - 0.1,
    finiteLast: max - 0.1,
    min: 0,
    minStep: 0,
    max,
    maxStep: 3,
    nanCount: 0,
    firstNan: null,
  }
}

class Board {
  view = new View()
  curations = $state.raw<ReadonlyMap<string, RunCuration>>(new Map())
  curation = {
    of: (run: string) => this.curations.get(run) ?? { tags: [] },
    better: new Map<string, 'lower' | 'higher'>(),
  }
  wanted = $state.raw<readonly string[]>([])
  accs = $state.raw<ReadonlyMap<string, Summary>>(new Map(NAMES.map((name, at) => [name, summary(ACC[at] ?? 0)])))
  runs = { entries: NAMES.map(entry), byName: new Map(NAMES.map((name, at) => [name, entry(name, at)])) }
  tags = {
    all: ['val/acc', 'train/loss', 'val/loss'].map((tag) => ({ tag, runs: 4, displayName: '', description: '' })),
    isLoading: false,
  }
  statuses = { of: () => 'finished' }
  hparams = {
    names: ['opt/lr', 'seed'],
    byRun: new Map(
      NAMES.map((name, at) => [name, new Map<string, HParam>(LR[at] === null ? [] : [['opt/lr', LR[at] ?? 0]])]),
    ),
    of: (run: string) => this.hparams.byRun.get(run) ?? new Map<string, HParam>(),
  }
  summaries = {
    of: (tag: string) => (tag === 'val/acc' ? this.accs : new Map<string, Summary>()),
    isKnown: (tag: string) => this.summaries.of(tag).size > 0,
    want: (tags: readonly string[]) => {
      this.wanted = tags
      return () => undefined
    },
  }
  columns = new Columns(this)
  filter = new Filter(this)

  type(text: string): readonly string[] | null {
    this.filter.type(text)
    const { matches } = this.filter
    return matches === null ? null : [...matches]
  }
}

test.each([
  ['', null],
  ['ADAM', ['sweep/adam-1', 'sweep/adam-2']],
  ['adam-1|sgd', ['sweep/adam-1', 'sweep/sgd-1']],
  ['/^base/', ['base/lr=0.1']],
  ['lr=0.1', ['base/lr=0.1']],
  ['lr = 0.1', ['sweep/sgd-1']],
  ['opt/lr < 0.05', ['sweep/adam-1', 'sweep/adam-2']],
  ['LR < 0.05', ['sweep/adam-1', 'sweep/adam-2']],
  ['lr < 0.05 and val/acc.max > 0.9', ['sweep/adam-1']],
  ['acc.max > 0.9', ['sweep/adam-1', 'sweep/sgd-1']],
  ['acc > 0.84', ['sweep/adam-1']],
  ['val/acc.best >= 0.95', ['sweep/adam-1']],
  ['val/acc.step = 3 and name ~ sgd', ['sweep/sgd-1']],
  ['not has lr', ['base/lr=0.1']],
  ['points > 12', ['base/lr=0.1']],
  ['duration = 50s and points < 11', ['sweep/adam-1']],
  ['name ~ ^sweep and not name ~ adam', ['sweep/sgd-1']],
  ['nothing like that', []],
])('"%s" matches %j', (text, expected) => {
  expect(new Board().type(text)).toEqual(expected)
})

test('titles and labels that people gave are looked at', () => {
  const board = new Board()
  board.curations = new Map([['sweep/sgd-1', { title: 'The old one', tags: ['paper'] }]])
  expect(board.type('old')).toEqual(['sweep/sgd-1'])
  expect(board.type('has paper')).toEqual(['sweep/sgd-1'])
  expect(board.type('tags = paper')).toEqual(['sweep/sgd-1'])
  expect(board.type('name = "The old one"')).toEqual(['sweep/sgd-1'])
})

test('an expression that is not finished keeps the filter before it, and says what is missing', () => {
  const board = new Board()
  board.type('lr < 0.05')
  expect(board.type('lr < 0.05 and val/acc.max >')).toEqual(['sweep/adam-1', 'sweep/adam-2'])
  expect([board.filter.text, board.view.values.runFilter]).toEqual(['lr < 0.05 and val/acc.max >', 'lr < 0.05'])
  expect([board.filter.trouble, board.filter.troubleAt]).toEqual(['A value is missing after >', 27])
  expect(board.type('lr < 0.05 and val/acc.max > 0.9')).toEqual(['sweep/adam-1'])
  expect(board.filter.trouble).toBeNull()
})

test('the first expression that is not finished matches everything', () => {
  const board = new Board()
  board.type('lr')
  expect(board.type('lr <')).toBeNull()
})

test('another filter, as of a link, replaces what is being typed', () => {
  const board = new Board()
  board.type('lr <')
  board.view.whole = { ...board.view.whole, runFilter: 'sgd' }
  expect([board.filter.text, board.filter.trouble, [...(board.filter.matches ?? [])]]).toEqual([
    'sgd',
    null,
    ['sweep/sgd-1'],
  ])
})

test('a link with an expression that is not valid matches everything, and says what is wrong', () => {
  const board = new Board()
  board.view.whole = { ...board.view.whole, runFilter: 'lr <' }
  expect([board.filter.text, board.filter.matches]).toEqual(['lr <', null])
  expect(board.filter.trouble).toBe('A value is missing after <')
})

test('a name that no run has is reported, and changes nothing', () => {
  const board = new Board()
  board.type('lr < 0.05')
  expect(board.type('lr < 0.05 and wd > 1')).toEqual(['sweep/adam-1', 'sweep/adam-2'])
  expect(board.filter.trouble).toBe('No run has a hyper-parameter or tag called “wd”')
})

test('a regular expression that is wrong keeps the filter before it, and says so', () => {
  const board = new Board()
  board.type('adam')
  expect(board.type('adam(')).toEqual(['sweep/adam-1', 'sweep/adam-2'])
  expect([board.filter.trouble, board.filter.troubleAt]).toEqual(['Unclosed parenthesis', 4])
})

test('an ambiguous end of a tag is no name', () => {
  const board = new Board()
  board.type('loss < 1')
  expect(board.filter.trouble).toBe('No run has a hyper-parameter or tag called “loss”')
})

test('values that are asked for are waited for, with what matched before', () => {
  const board = new Board()
  const known = board.accs
  board.accs = new Map()
  board.type('adam')
  expect(board.type('acc.max > 0.9')).toEqual(['sweep/adam-1', 'sweep/adam-2'])
  flushSync()
  expect(board.wanted).toEqual(['val/acc'])
  board.accs = known
  expect([...(board.filter.matches ?? [])]).toEqual(['sweep/adam-1', 'sweep/sgd-1'])
})

test('reasons are counted, once for each condition that a run fails', () => {
  const board = new Board()
  board.type('lr < 0.01 and val/acc.max > 0.9')
  expect(board.filter.reasons).toEqual([
    { text: 'with lr of 0.01 or more', count: 2 },
    { text: 'with val/acc.max of 0.9 or less', count: 2 },
    { text: 'without lr', count: 1 },
  ])
  expect(board.filter.whyNot('sweep/sgd-1')).toEqual(['with lr of 0.01 or more'])
})
