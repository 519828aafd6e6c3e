// Checks which runs are shown: at the start, by hand, and as runs come.
import { beforeEach, describe, expect, test } from 'vitest'
import type { RunCuration } from './curation.svelte'
import type { Entry } from './runs.svelte'
import { Selection, type Needs } from './selection.svelte'
import { DEFAULTS } from './settings.svelte'
import type { Summary } from './summaries.svelte'
import { View } from './view.svelte'

function entry(name: string, start: number | null = 0): Entry {
  return { name, run: { name, start_time: start } as Entry['run'], parts: [] }
}

/** A page of which every part can be set. */
class Page implements Needs {
  values = $state.raw<ReadonlyMap<string, Summary>>(new Map())
  runs = $state.raw({ entries: [] as readonly Entry[] })
  view = new View()
  settings = $state({ values: { ...DEFAULTS } })
  filter = $state({ matches: null as ReadonlySet<string> | null })
  pinned = new Set<string>()
  curation = { of: (run: string): RunCuration => ({ tags: [], pinned: this.pinned.has(run) }) }
  columns = { better: (): 'higher' => 'higher' }
  summaries = { of: (): ReadonlyMap<string, Summary> => this.values }
}

let page: Page
let selection: Selection

function names(): string[] {
  return selection.shown.map(({ name }) => name)
}

function start(which: 'newest' | 'best', count: number): void {
  page.settings.values = { ...page.settings.values, startRuns: { which, count, tag: 'acc' } }
}

beforeEach(() => {
  page = new Page()
  page.runs = { entries: [entry('a', 1), entry('b', 3), entry('c', 2), entry('d', 4)] }
  selection = new Selection(page)
})

describe('at the start', () => {
  test('every run is shown when there are few', () => {
    expect(names()).toEqual(['a', 'b', 'c', 'd'])
    expect(selection.startNotice).toBeNull()
  })

  test('the newest are shown when there are many, and it is said', () => {
    start('newest', 2)
    expect(names()).toEqual(['b', 'd'])
    expect(selection.startNotice).toEqual({ which: 'newest', shown: 2, of: 4 })
  })

  test('another wish counts at once', () => {
    start('newest', 2)
    expect(names()).toEqual(['b', 'd'])
    start('newest', 3)
    expect(names()).toEqual(['b', 'c', 'd'])
    start('newest', 1)
    expect(names()).toEqual(['d'])
    page.runs = { ...page.runs, entries: [...page.runs.entries, entry('e', 5)] }
    expect(names()).toEqual(['e'])
  })

  test('the best are shown once their values are known', () => {
    start('best', 1)
    page.values = new Map([
      ['c', { max: 0.9 } as Summary],
      ['d', { max: 0.5 } as Summary],
    ])
    expect(names()).toEqual(['c'])
  })

  test('runs without a finite value are the last of the best', () => {
    start('best', 2)
    page.values = new Map([
      ['a', { max: 0.1 } as Summary],
      ['b', { max: NaN } as Summary],
      ['c', { max: 0.9 } as Summary],
      ['d', { max: 0.5 } as Summary],
    ])
    expect(names()).toEqual(['c', 'd'])
  })

  test('pinned runs are always among them', () => {
    start('newest', 1)
    page.pinned.add('a')
    expect(names()).toEqual(['a', 'd'])
  })

  test('later runs replace older ones', () => {
    start('newest', 2)
    expect(names()).toEqual(['b', 'd'])
    page.runs = { entries: [...page.runs.entries, entry('e', 9), entry('f', null)] }
    expect(names()).toEqual(['e', 'f'])
  })

  test('a filter shows what it matches, and the newest of more than can be drawn', () => {
    start('newest', 2)
    page.filter.matches = new Set(['a', 'c'])
    expect(names()).toEqual(['a', 'c'])
    expect(selection.startNotice).toBeNull()
    page.filter.matches = new Set(['a', 'b', 'c'])
    expect(names()).toEqual(['b', 'c'])
    expect(selection.startNotice).toEqual({ which: 'newest', shown: 2, of: 3 })
    page.filter.matches = null
    expect(names()).toEqual(['b', 'd'])
  })
})

describe('by hand', () => {
  test('runs are hidden and shown again without leaving a trace in the link', () => {
    selection.toggle('b')
    expect(names()).toEqual(['a', 'c', 'd'])
    expect(page.view.values.choice).toEqual({ base: 'start', shown: [], hidden: ['b'] })
    selection.toggle('b')
    expect(page.view.values.choice).toEqual({ base: 'start', shown: [], hidden: [] })
  })

  test('a run that was left out at the start is shown on demand', () => {
    start('newest', 1)
    selection.show(['a', 'd'], true)
    expect(names()).toEqual(['a', 'd'])
    expect(page.view.values.choice).toEqual({ base: 'start', shown: ['a'], hidden: [] })
  })

  test('one alone, and back to those before', () => {
    selection.show(['a'], false)
    selection.solo('b')
    expect(names()).toEqual(['b'])
    selection.solo('c')
    expect(names()).toEqual(['c'])
    selection.solo('c')
    expect(names()).toEqual(['b', 'c', 'd'])
    selection.only(['b'])
    selection.solo('b')
    expect(names()).toEqual(['a', 'b', 'c', 'd'])
  })

  test('all, none, the others', () => {
    selection.none()
    expect(names()).toEqual([])
    selection.show(['c'], true)
    selection.invert()
    expect(names()).toEqual(['a', 'b', 'd'])
    expect(page.view.values.choice).toEqual({ base: 'all', shown: [], hidden: ['c'] })
    selection.invert()
    expect(page.view.values.choice).toEqual({ base: 'none', shown: ['c'], hidden: [] })
    selection.all()
    expect(names()).toEqual(['a', 'b', 'c', 'd'])
  })
})

test('runs that do not match the filter are not drawn but stay chosen', () => {
  page.filter.matches = new Set(['a'])
  expect(names()).toEqual(['a'])
  expect(selection.isShown('b')).toBe(true)
})
