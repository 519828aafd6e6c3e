// Checks that a page which went through many actions looks like one that is opened with the resulting link.
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { CuratedRun, Edit } from '../api/curation'
import { FakeServer } from './fake-server'
import { Page } from './page.svelte'
import type { Choice, ColourBy, GroupBy } from './facts/core'

beforeEach(() => {
  vi.useFakeTimers({ now: 1e3 * START + 1e7 })
  const memory = new Map<string, string>()
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => memory.get(key) ?? null,
    setItem: (key: string, value: string) => memory.set(key, value),
  })
  vi.stubGlobal('matchMedia', () => ({ matches: false, addEventListener: () => undefined }))
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

const TAGS = ['train/loss', 'val/acc']
const START = 1_700_000_000

/** A server that keeps what people add to runs. */
class Curator extends FakeServer {
  readonly #runs = new Map<string, Partial<CuratedRun>>()

  constructor() {
    super()
    this.instead.set('curation', (body) => {
      if (body !== '') this.#keep((JSON.parse(body) as { set: Edit[] }).set)
      return Promise.resolve(undefined)
    })
  }

  #keep(edits: readonly Edit[]): void {
    for (const { key, value } of edits) {
      const [, name = '', field = ''] = key
      this.#runs.set(name, { ...this.#runs.get(name), [field]: value ?? undefined })
    }
    this.curation.runs = [...this.#runs].map(([name, run]) => ({ tags: [], ...run, name }))
    this.curation.revision = `${String(this.curation.revision)}+`
  }
}

/** Runs of which some start at the same time, with hyper-parameters and values that differ. */
function serving(random: () => number): Curator {
  const server = new Curator()
  for (let at = 0; at < 40; at++)
    start(server, `${at % 3 === 0 ? 'sweep' : 'base'}/run-${String(at)}-s${String(at % 4)}`, random)
  return server
}

function start(server: FakeServer, name: string, random: () => number): void {
  const at = server.runs.size
  const points = { [TAGS[0] ?? '']: 1 + Math.floor(8 * random()), ...(at % 5 === 0 ? {} : { [TAGS[1] ?? '']: 3 }) }
  server.add(name, points, { start_time: START + Math.floor(at / 2) * 60, end_time: START + 9_000 })
  server.hparams.set(name, { lr: 10 ** -(1 + Math.floor(4 * random())), opt: random() < 0.5 ? 'sgd' : 'adam' })
}

function settle(): Promise<unknown> {
  return vi.advanceTimersByTimeAsync(5_000)
}

async function open(server: FakeServer, query: string): Promise<Page> {
  const page = new Page(server.client)
  page.view.whole = page.view.link.read(query).values
  page.settings.set('startRuns', { which: 'newest', count: 25, tag: null })
  page.summaries.want(TAGS)
  await settle()
  return page
}

function linkOf(page: Page): string {
  return page.view.link.write({ values: page.view.whole, others: [] })
}

/** Everything about runs that can be seen. */
function seen(page: Page): object {
  const listed = page.groups.all.map(({ key, name, entries }) => ({
    key,
    name,
    runs: entries.map((entry) => entry.name),
    style: page.styles.group(key),
  }))
  const runs = page.runs.started.map((name) => ({
    name,
    style: page.styles.of(name),
    identity: page.styles.identity(name),
    isShown: page.selection.isShown(name),
  }))
  return { listed, runs, shown: page.selection.shown.map(({ name }) => name), notice: page.selection.startNotice }
}

/** A generator of numbers from 0 to 1 that are always the same ones (mulberry32). */
function randomFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let value = Math.imul(state ^ (state >>> 15), 1 | state)
    value = (value + Math.imul(value ^ (value >>> 7), 61 | value)) ^ value
    return ((value ^ (value >>> 14)) >>> 0) / 2 ** 32
  }
}

const FILTERS = [
  '',
  '',
  'run-1',
  'sweep',
  's2$',
  'lr < 0.01',
  'lr < 0.01 and val/acc.max > 0.2',
  'lr <',
  'opt = adam',
  '(',
]
const GROUPS: readonly GroupBy[] = [
  { kind: 'none' },
  { kind: 'folder' },
  { kind: 'seed' },
  { kind: 'hparam', name: 'opt' },
  { kind: 'regex', pattern: 'run-(.)' },
]
const COLOURS: readonly ColourBy[] = [
  { kind: 'run' },
  { kind: 'run' },
  { kind: 'group' },
  { kind: 'regex', pattern: '(s\\d)' },
  { kind: 'column', column: 'hparam:lr' },
  { kind: 'column', column: 'hparam:opt' },
]
const SORTS = ['metric:train/loss:best', 'metric:val/acc:last', 'hparam:lr', 'about:name', 'about:start']
const CHOICES: readonly Choice[] = (['start', 'all', 'none'] as const).map((base) => ({ base, shown: [], hidden: [] }))

/** Another page is the answer of those that open one. */
type Action = (page: Page, server: Curator, random: () => number) => unknown

function one<T>(items: readonly T[], random: () => number): T {
  return items[Math.floor(items.length * random())] as T
}

function anyRun(page: Page, random: () => number): string {
  return one(page.runs.entries, random).name
}

/** An edit that is undone half of the time. */
async function edit(page: Page, random: () => number, field: string, value: unknown): Promise<void> {
  const edited = await page.curation.edit([{ key: ['run', anyRun(page, random), field], value }])
  seen(page)
  if (random() < 0.5) await edited.undo()
}

const ACTIONS: Readonly<Record<string, Action>> = {
  filter: (page, _, random) => {
    page.filter.type(one(FILTERS, random))
  },
  toggle: (page, _, random) => {
    page.selection.toggle(anyRun(page, random))
  },
  solo: (page, _, random) => {
    page.selection.solo(anyRun(page, random))
  },
  choose: (page, _, random) => {
    page.view.set('choice', one(CHOICES, random))
  },
  invert: (page) => {
    page.selection.invert()
  },
  listed: (page) => {
    page.selection.only(page.groups.all.flatMap(({ entries }) => entries.map(({ name }) => name)))
  },
  trash: (page, _, random) => edit(page, random, 'trashed', true),
  pin: (page, _, random) => edit(page, random, 'pinned', random() < 0.7 ? true : null),
  paint: (page, _, random) => edit(page, random, 'colour', one(['run-3', 'grey', '#123456', null], random)),
  group: (page, _, random) => {
    page.view.set('groupBy', one(GROUPS, random))
  },
  colour: (page, _, random) => {
    page.view.set('colourBy', one(COLOURS, random))
  },
  sort: (page, _, random) => {
    page.view.set('sortBy', { column: one(SORTS, random), descending: random() < 0.5 })
  },
  bands: (page, _, random) => {
    page.view.set('aggregate', random() < 0.5 ? null : { centre: 'mean', band: 'std', members: true })
  },
  reload: (page, server) => {
    page.board.pause()
    return follow(server, linkOf(page))
  },
  grow: async (_, server, random) => {
    const run = one([...server.runs.keys()], random)
    server.log(run, one(TAGS, random), 3)
    await server.changed([run])
  },
  begin: async (_, server, random) => {
    const name = `sweep/new-${String(server.runs.size)}-s1`
    start(server, name, random)
    await server.changed([name])
  },
}

async function follow(server: FakeServer, query: string): Promise<Page> {
  const page = await open(server, query)
  page.board.resume()
  await vi.advanceTimersByTimeAsync(100)
  await server.hello()
  await settle()
  return page
}

test.each([1, 2, 3])(
  'any sequence of actions ends as the link that it made (seed %i)',
  async (seed) => {
    const random = randomFrom(seed)
    const server = serving(random)
    let page = await follow(server, '')
    const done: string[] = []
    for (let step = 0; step < 40; step++) {
      const [name, act] = one(Object.entries(ACTIONS), random)
      done.push(name)
      const next = await act(page, server, random)
      if (next instanceof Page) page = next
      // Looks at everything in between, as a page that is drawn does.
      seen(page)
      await settle()
      await server.hello()
      const fresh = await open(server, linkOf(page))
      expect(seen(page), done.join(', ')).toEqual(seen(fresh))
    }
  },
  120_000,
)
