// Runs that are listed, and in bands drawn, together.
import { counted } from '../lib/format'
import { natural } from '../lib/natural'
import { captured } from './captures'
import { compareValues, type Columns, type Value } from './columns.svelte'
import type { GroupBy, SortBy } from './facts/core'
import type { HParam, HParams } from './hparams.svelte'
import type { Filter } from './filter.svelte'
import type { Entry, Runs } from './runs.svelte'
import type { View } from './view.svelte'

export interface Group {
  readonly key: string
  readonly name: string
  readonly entries: readonly Entry[]
  /** The runs that have nothing to be grouped by: listed last, never drawn as a band. */
  readonly isRest: boolean
}

/** Which of two runs comes first; null for natural order. */
export type Order = ((a: string, b: string) => number) | null

export interface Needs {
  readonly runs: Pick<Runs, 'entries'>
  readonly filter: Pick<Filter, 'matches'>
  readonly hparams: Pick<HParams, 'of'>
  readonly view: Pick<View, 'values'>
  readonly columns: Pick<Columns, 'get'>
}

export class Groups {
  readonly #page: Needs
  /** The values by which the list was sorted when the pointer came over it; null while there is no pointer. */
  #held = $state.raw<Held | null>(null)

  constructor(page: Needs) {
    this.#page = page
  }

  /** Of the entries that match the filter, sorted as the list is; one group without a name when nothing is grouped. */
  readonly all = $derived.by<readonly Group[]>(() => {
    const { runs, filter, hparams, view } = this.#page
    const { matches } = filter
    const entries = matches === null ? runs.entries : runs.entries.filter(({ name }) => matches.has(name))
    const { groupBy, sortBy } = view.values
    return grouped(entries, groupBy, (run) => hparams.of(run), sortBy === null ? null : this.#order(entries, sortBy))
  })

  /** Keeps runs in their order as values change, so that none moves away under the pointer, until `release`. */
  hold(): void {
    const { sortBy } = this.#page.view.values
    if (sortBy === null) return
    const values = new Map(this.#page.runs.entries.map(({ name }) => [name, this.#valueOf(sortBy.column, name)]))
    this.#held = { column: sortBy.column, values }
  }

  /** Sorts by the values of now. */
  release(): void {
    this.#held = null
  }

  #order(entries: readonly Entry[], { column, descending }: SortBy): Exclude<Order, null> {
    const held = this.#held?.column === column ? this.#held.values : null
    const valueOf = (name: string): Value => held?.get(name) ?? this.#valueOf(column, name)
    const values = new Map(entries.map(({ name }) => [name, valueOf(name)]))
    return (a, b) => compareValues(values.get(a) ?? null, values.get(b) ?? null, descending) || natural(a, b)
  }

  #valueOf(column: string, run: string): Value {
    return this.#page.columns.get(column)?.value(run) ?? null
  }

  /** What decides the group of a run, whether it is listed or not; null for a run that has nothing to be grouped by. */
  readonly keyOf = $derived.by<(run: string) => string | null>(() => {
    const { hparams, view } = this.#page
    return keys(view.values.groupBy, (run) => hparams.of(run))
  })

  /** The group of each listed run. */
  readonly byRun = $derived.by<ReadonlyMap<string, Group>>(
    () => new Map(this.all.flatMap((group) => group.entries.map((entry) => [entry.name, group]))),
  )
}

interface Held {
  readonly column: string
  readonly values: ReadonlyMap<string, Value>
}

type HParamsOf = (run: string) => ReadonlyMap<string, HParam>

export function grouped(entries: readonly Entry[], by: GroupBy, hparamsOf: HParamsOf, order: Order): readonly Group[] {
  const keyOf = keys(by, hparamsOf)
  const members = new Map<string | null, Entry[]>()
  for (const entry of entries) {
    const key = keyOf(entry.name)
    const list = members.get(key)
    if (list === undefined) members.set(key, [entry])
    else list.push(entry)
  }
  if (by.kind === 'seed') setAside(members)
  // Where no run is in a folder, there is nothing to distinguish.
  if (by.kind === 'folder' && members.size === 1 && members.has(null))
    return grouped(entries, { kind: 'none' }, hparamsOf, order)
  const groups = [...members].map(([key, list]): Group => ({
    key: key ?? REST,
    name: key === null ? restName(by, list.length) : nameOf(by, key, list),
    entries: order === null ? list : list.sort((a, b) => order(a.name, b.name)),
    isRest: key === null,
  }))
  return groups.sort((a, b) => {
    if (a.isRest !== b.isRest) return a.isRest ? 1 : -1
    const [first, second] = [a.entries[0], b.entries[0]]
    const byOrder = order === null || first === undefined || second === undefined ? 0 : order(first.name, second.name)
    return byOrder !== 0 ? byOrder : natural(a.name, b.name)
  })
}

/** Where every run logs its seed, those that are alone with their hyper-parameters are no group of seeds. */
function setAside(members: Map<string | null, Entry[]>): void {
  const alone = [...members].filter(([key, list]) => key?.startsWith('[') === true && list.length === 1)
  if (alone.length === 0) return
  const rest = [...(members.get(null) ?? []), ...alone.flatMap(([, list]) => list)]
  for (const [key] of alone) members.delete(key)
  members.set(
    null,
    rest.sort((a, b) => natural(a.name, b.name)),
  )
}

const REST = '\u0000'

/** What decides the group of a run; null for a run that has nothing to be grouped by. */
function keys(by: GroupBy, hparamsOf: HParamsOf): (run: string) => string | null {
  switch (by.kind) {
    case 'none':
      return () => ''
    case 'folder':
      return (run) => folder(run) || null
    case 'seed':
      return (run) => withoutSeed(run) ?? withoutSeedParameter(run, hparamsOf(run))
    case 'regex':
      return captured(by.pattern)
    case 'hparam':
      return (run) => {
        const value = hparamsOf(run).get(by.name)
        return value === undefined ? null : String(value)
      }
  }
}

/** The path before the last slash; empty at the top. */
export function folder(run: string): string {
  return run.slice(0, Math.max(0, run.lastIndexOf('/')))
}

// `…seed3`, `…seed=3`, `…-seed_3`, `…_s3`, `…/3`; the word may also be on its own, as in `ppo/seed-3`.
const SEED = /(?:(?:^|[-_./ ,])seed[-_=.:]?\d+|[-_/]s\d+|\/\d+)$/i
const SEED_INSIDE = /(?:^|[-_./ ,])seed[-_=.:]?\d+(?=[-_./ ,])/i

/** The name without the seed that it ends with or holds; null when it holds none. */
export function withoutSeed(run: string): string | null {
  const shorter = run.replace(SEED, '')
  if (shorter !== run) return shorter === '' ? 'seed' : shorter
  const without = run.replace(SEED_INSIDE, '')
  return without === run ? null : without
}

const SEED_PARAMETER = /^(.*[._/-])?(random[._-]?)?seed$/i

// What repeats of a run differ in: `-3`, `/run2`, `_s3`, a commit's hash, a moment.
const REPEAT = /(?:^|[-_./ ,=:])(?:(?:seed|run|trial|rep|s|r)?[-_=.:]?\d+|\d+T\d+|(?=[0-9a-f]*\d)[0-9a-f]{6,40})$/i
// `Nov16_12-30-00`, as writers name directories by themselves.
const WRITTEN = /[A-Z][a-z]{2}\d{1,2}_\d\d-\d\d-\d\d/

/** The name without what distinguishes one repeat from another. */
export function stem(run: string): string {
  let shorter = run.replace(WRITTEN, '')
  for (let before = ''; before !== shorter;) {
    before = shorter
    shorter = before.replace(REPEAT, '')
  }
  return shorter
}

/** The name without a number at its end, and all hyper-parameters but the seed; null without a seed. */
function withoutSeedParameter(run: string, hparams: ReadonlyMap<string, HParam>): string | null {
  const others = [...hparams].filter(([name]) => !SEED_PARAMETER.test(name))
  if (others.length === hparams.size) return null
  return JSON.stringify([stem(run), ...others.sort(([a], [b]) => natural(a, b))])
}

function nameOf(by: GroupBy, key: string, entries: readonly Entry[]): string {
  if (by.kind === 'hparam') return `${by.name} ${key}`
  if (by.kind === 'seed' && key.startsWith('[')) return commonName(entries.map(({ name }) => name))
  return key
}

function restName(by: GroupBy, count: number): string {
  const runs = counted(count, 'run')
  if (by.kind === 'folder') return `${runs} without a folder`
  if (by.kind === 'hparam') return `${runs} without ${by.name}`
  if (by.kind === 'seed') return `${runs} without a seed`
  return count === 1 ? '1 run not matching' : `${runs} not matching`
}

/** What the names begin with in common. */
function commonName(names: readonly string[]): string {
  const [first = ''] = names
  let end = first.length
  for (const name of names) {
    while (!name.startsWith(first.slice(0, end))) end--
  }
  const common = names.length === 1 ? first : first.slice(0, end).replace(/(seed|s)?[-_./ ,=]*$/i, '')
  return common === '' ? first : common
}
