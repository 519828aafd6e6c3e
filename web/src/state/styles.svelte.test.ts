// Checks the colours of runs: which run has which, which has none, and what they mean.
import { beforeEach, describe, expect, test } from 'vitest'
import { BULK, KYMOGRAPH, sequential, type Theme } from '../lib/palettes'
import type { Column, Value } from './columns.svelte'
import type { RunCuration } from './curation.svelte'
import { folder, grouped, type Group } from './groups.svelte'
import { RANKS } from './health.svelte'
import type { Entry } from './runs.svelte'
import { DEFAULTS } from './settings.svelte'
import { chosenLeads, Styles, type Needs } from './styles.svelte'
import { View } from './view.svelte'

function entry(name: string, start = 0, parts: Entry['parts'] = []): Entry {
  return { name, run: { name, start_time: start } as Entry['run'], parts }
}

/** A page of which every part can be set. */
class Page implements Needs {
  curated = $state.raw(new Map<string, Partial<RunCuration>>())
  shown = $state.raw<readonly Entry[]>([])
  get selection(): Needs['selection'] {
    return { shown: this.shown, isPinned: (name) => this.curated.get(name)?.pinned === true }
  }
  ranked = $state.raw<Readonly<Record<string, number>>>({})
  health: Needs['health'] = { ranks: () => (name) => this.ranked[name] ?? RANKS.others }
  runs = $state.raw<{ started: readonly string[] }>({ started: [] })
  get groups(): Needs['groups'] {
    const all = grouped(this.selection.shown, this.view.values.groupBy, () => new Map(), null)
    const byRun = new Map(all.flatMap((group) => group.entries.map(({ name }): [string, Group] => [name, group])))
    return { all, byRun, keyOf: (run) => folder(run) || null }
  }
  curation = { of: (run: string): RunCuration => ({ tags: [], ...this.curated.get(run) }) }
  settings = { values: { ...DEFAULTS } }
  view = new View()
  theme = $state<{ current: Theme }>({ current: 'light' })
  values = $state.raw<Readonly<Record<string, Readonly<Record<string, Value>>>>>({})
  columns = {
    get: (id: string): Column | null =>
      id in this.values ? ({ value: (run: string) => this.values[id]?.[run] ?? null } as Column) : null,
  }
}

let page: Page
let styles: Styles

/** Shows these; runs that the board does not have yet start now. */
function show(...names: string[]): void {
  page.runs = { started: [...new Set([...page.runs.started, ...names])] }
  page.shown = names.map((name, at) => entry(name, at))
}

function colours(): string[] {
  return page.selection.shown.map(({ name }) => styles.of(name).colour)
}

const many = (count: number): string[] => Array.from({ length: count }, (_, at) => `run${String(at)}`)

beforeEach(() => {
  page = new Page()
  styles = new Styles(page)
})

describe('by run', () => {
  test('each has a colour of its own, the same place in both themes', () => {
    show(...many(12))
    const light = colours()
    expect(new Set(light)).toEqual(new Set(KYMOGRAPH.light))
    page.theme.current = 'dark'
    expect(colours()).toEqual(light.map((colour) => KYMOGRAPH.dark[KYMOGRAPH.light.indexOf(colour)]))
  })

  test('a run has its colour whatever else is shown, and was shown before', () => {
    show(...many(30))
    const before = new Map(many(30).map((name) => [name, styles.identity(name)]))
    show('another', 'run5', 'run6')
    expect(styles.of('run5').colour).toBe(before.get('run5'))
    show('run0')
    expect(styles.of('run0')).toEqual({ colour: before.get('run0'), dash: 'solid', role: 'lead', isColoured: true })
    show(...many(30))
    for (const name of many(30)) expect(styles.identity(name)).toBe(before.get(name))
    expect(styles.of('run0').isColoured).toBe(false)
  })

  test('runs of one hue have different dashes', () => {
    show(...many(60))
    const hue = styles.identity('run0')
    const alike = many(60).filter((name) => styles.identity(name) === hue)
    show(...alike.slice(0, 3))
    expect(new Set(colours())).toEqual(new Set([hue]))
    expect(alike.slice(0, 3).map((name) => styles.of(name).dash)).toEqual(['solid', 'dashed', 'dotted'])
  })

  test('beyond the limit runs are grey context, the newest have the colours', () => {
    show(...many(30))
    expect(styles.coloured).toBe(12)
    expect(new Set(colours()).size).toBe(13)
    expect(styles.of('run29').role).toBe('lead')
    expect(styles.of('run0')).toEqual({ colour: BULK.light, dash: 'solid', role: 'context', isColoured: false })
  })

  test('a run that starts changes no other run’s colour', () => {
    show(...many(12))
    const before = colours()
    show(...many(12), 'newest')
    expect(many(12).map((name) => styles.identity(name))).toEqual(before)
    expect(styles.coloured).toBe(12)
  })

  test('pinned runs are in colour before others', () => {
    page.curated.set('run0', { pinned: true })
    show(...many(30))
    expect(styles.of('run0').role).toBe('lead')
    expect(styles.coloured).toBe(12)
  })

  test('the best, diverged and running runs are in colour before newer ones', () => {
    page.ranked = { run0: RANKS.best, run3: RANKS.diverged, run5: RANKS.running }
    show(...many(30))
    for (const name of ['run0', 'run3', 'run5']) expect(styles.of(name).role).toBe('lead')
    expect(styles.coloured).toBe(12)
  })

  test('a grey run has a colour for when it is pointed at', () => {
    show(...many(30))
    expect(KYMOGRAPH.light).toContain(styles.identity('run0'))
    expect(styles.identity('run29')).toBe(styles.of('run29').colour)
  })

  test('parts have the colour of their run and a dash of their own', () => {
    const part = { run: { name: 'a/x' } as Entry['run'], kind: 'scalars' as const, label: 'x', tag: 'loss' }
    page.runs = { started: ['a'] }
    page.shown = [entry('a', 0, [part])]
    expect(styles.of('a/x')).toEqual({ ...styles.of('a'), dash: 'dashed' })
  })
})

describe('what people chose', () => {
  test('colour and dash count before all else', () => {
    page.curated.set('run1', { colour: '#123456', dash: 'dotted' })
    show(...many(30))
    expect(styles.of('run1')).toEqual({ colour: '#123456', dash: 'dotted', role: 'lead', isColoured: true })
  })

  test('a place of the palette is no other run’s', () => {
    page.curated.set('run3', { colour: 'run-7' })
    show(...many(12))
    expect(styles.of('run3').colour).toBe(KYMOGRAPH.light[6])
    expect(colours().filter((colour) => colour === KYMOGRAPH.light[6])).toHaveLength(1)
  })

  test('a place that is given back is no longer the run’s', () => {
    show(...many(3))
    const before = styles.of('run1').colour
    page.curated = new Map([['run1', { colour: 'run-7' }]])
    expect(styles.of('run1').colour).toBe(KYMOGRAPH.light[6])
    page.curated = new Map()
    expect(styles.of('run1').colour).toBe(before)
  })

  test('grey is a colour, too', () => {
    page.curated.set('run1', { colour: 'grey' })
    show(...many(3))
    expect(styles.of('run1').isColoured).toBe(false)
    expect(styles.coloured).toBe(2)
  })
})

test('colour by group is one colour for each folder, also of its band', () => {
  page.view.set('colourBy', { kind: 'group' })
  show('a/1', 'a/2', 'b/1', 'top')
  expect(styles.of('a/1').colour).toBe(styles.of('a/2').colour)
  expect(styles.of('b/1').colour).not.toBe(styles.of('a/1').colour)
  expect(styles.of('top').isColoured).toBe(false)
  expect(styles.group('a').colour).toBe(styles.of('a/1').colour)
})

test('members of bands have a tint of their group’s colour', () => {
  page.view.set('aggregate', { centre: 'mean', band: 'std', members: true })
  show('a/1', 'b/1')
  expect(styles.kind).toBe('group')
  expect(KYMOGRAPH.light).toContain(styles.group('a').colour)
  expect(KYMOGRAPH.light).not.toContain(styles.of('a/1').colour)
})

test('colour by regular expression leaves runs that do not match grey', () => {
  page.view.set('colourBy', { kind: 'regex', pattern: '(sgd|adam)' })
  show('sgd-1', 'sgd-2', 'adam-1', 'lion')
  expect(styles.of('sgd-1').colour).toBe(styles.of('sgd-2').colour)
  expect(styles.of('adam-1').colour).not.toBe(styles.of('sgd-1').colour)
  expect(styles.of('lion').isColoured).toBe(false)
})

describe('colour by a column', () => {
  beforeEach(() => {
    page.values = { 'hparam:lr': { a: 1e-4, b: 1e-3, c: 1e-2 }, 'hparam:opt': { a: 'sgd', b: 'adam', c: 'sgd' } }
    show('a', 'b', 'c', 'without')
  })

  test('numbers are on a ramp, by their logarithm where they span decades', () => {
    page.view.set('colourBy', { kind: 'column', column: 'hparam:lr' })
    expect(colours()).toEqual([sequential('light', 0), sequential('light', 0.5), sequential('light', 1), BULK.light])
    expect(styles.scale?.isLog).toBe(true)
  })

  test('words share colours of the palette', () => {
    page.view.set('colourBy', { kind: 'column', column: 'hparam:opt' })
    const [a, b, c] = colours()
    expect(a).toBe(c)
    expect(a).not.toBe(b)
    expect(KYMOGRAPH.light).toContain(a)
    expect(styles.scale).toBeNull()
  })

  test('a brush leaves the others grey, pinned runs keep their own colour', () => {
    page.curated.set('c', { pinned: true })
    page.view.set('colourBy', {
      kind: 'column',
      column: 'hparam:lr',
      brush: { column: 'hparam:lr', range: [5e-4, 5e-3] },
    })
    expect(page.selection.shown.map(({ name }) => styles.of(name).isColoured)).toEqual([false, true, true, false])
    expect(KYMOGRAPH.light).toContain(styles.of('c').colour)
  })

  test('many lines in colour are hairlines', () => {
    const names = many(40)
    page.values = { 'hparam:lr': Object.fromEntries(names.map((name, at) => [name, at])) }
    page.view.set('colourBy', { kind: 'column', column: 'hparam:lr' })
    show(...names)
    expect(styles.coloured).toBe(40)
    expect(styles.of('run7')).toMatchObject({ role: 'member', isColoured: true })
  })
})

describe('leads', () => {
  const always = (name: string) => (rank: string) => (rank === name ? RANKS.always : RANKS.others)
  const own = (name: string): number => Number(name.slice(3))

  test('are those of low rank, then the newest', () => {
    expect(chosenLeads(many(6), 3, always('run0'), own)).toEqual(['run0', 'run4', 'run5'])
    expect(chosenLeads(many(6), 0, always('run1'), own)).toEqual(['run1'])
    expect(
      chosenLeads(
        many(6),
        2,
        (name) => (name === 'run1' ? RANKS.best : name === 'run2' ? RANKS.running : RANKS.others),
        own,
      ),
    ).toEqual(['run1', 'run2'])
  })

  test('are of different hues while there are any', () => {
    expect(chosenLeads(many(8), 3, always('run0'), (name) => own(name) % 4)).toEqual(['run0', 'run6', 'run7'])
    expect(chosenLeads(many(8), 3, always('run3'), (name) => own(name) % 4)).toEqual(['run3', 'run5', 'run6'])
    expect(chosenLeads(many(4), 3, always(''), () => 0)).toEqual(['run1', 'run2', 'run3'])
  })
})
