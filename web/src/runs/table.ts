// The run table without its looks: which rows and columns there are, where they lie, and what stands in them.
import { natural } from '../lib/natural'
import type { Column, Section, Value } from '../state/columns.svelte'
import type { Group } from '../state/groups.svelte'
import type { HParam } from '../state/hparams.svelte'
import type { Entry } from '../state/runs.svelte'

export const ROW = 26
export const HEAD = 52
/** Of the column with the names of the runs. */
export const NAME = 'about:name'
export const NARROWEST = 44

/** On the screen. */
export interface Place {
  readonly x: number
  readonly y: number
}

export type TableRow =
  | {
      readonly kind: 'group'
      readonly key: string
      readonly group: Group
      readonly total: number
      readonly isOpen: boolean
    }
  | {
      readonly kind: 'run'
      readonly key: string
      readonly entry: Entry
      readonly isMatch: boolean
      readonly isIndented: boolean
    }

export interface RowSources {
  readonly groups: readonly Group[]
  /** How many runs a group has without the filter. */
  readonly totals: ReadonlyMap<string, number>
  isOpen(group: Group): boolean
  /** Runs that do not match, when they are to be seen. */
  readonly others: readonly Entry[]
}

export function tableRows(sources: RowSources): readonly TableRow[] {
  const { groups, totals, others } = sources
  const rows: TableRow[] = []
  for (const group of groups) {
    const isNamed = group.name !== ''
    const open = !isNamed || sources.isOpen(group)
    if (isNamed)
      rows.push({
        kind: 'group',
        key: `group:${group.key}`,
        group,
        total: totals.get(group.key) ?? group.entries.length,
        isOpen: open,
      })
    if (open)
      for (const entry of group.entries)
        rows.push({ kind: 'run', key: `run:${entry.name}`, entry, isMatch: true, isIndented: isNamed })
  }
  for (const entry of others)
    rows.push({ kind: 'run', key: `run:${entry.name}`, entry, isMatch: false, isIndented: false })
  return rows
}

export interface Placed {
  readonly column: Column
  readonly left: number
  readonly width: number
  /** The first of its section: a rule at its left. */
  readonly isFirst: boolean
}

export interface Placement {
  readonly nameWidth: number
  readonly columns: readonly Placed[]
  readonly sections: readonly {
    readonly section: Section
    readonly title: string
    readonly left: number
    readonly width: number
  }[]
  readonly width: number
}

const SECTIONS: readonly Section[] = ['hparam', 'metric', 'about']
const TITLES: Readonly<Record<Section, string>> = { hparam: 'Hyper-parameters', metric: 'Metrics', about: 'Details' }
const ABOUT_WIDTHS: Readonly<Record<string, number>> = {
  duration: 80,
  status: 76,
  tags: 92,
  note: 150,
  points: 76,
  start: 124,
}
const NAME_WIDTH = 200

/** Columns of a section stand together, in the order in which they were chosen. */
export function bySection(columns: readonly Column[]): readonly Column[] {
  return SECTIONS.flatMap((section) => columns.filter((column) => column.section === section))
}

/** `widths` are those that people chose, `lengths` the letters of the longest texts; the last column takes what is left of `room`. */
export function place(
  columns: readonly Column[],
  widths: Readonly<Record<string, number>>,
  room: number,
  lengths: ReadonlyMap<string, number> = new Map(),
): Placement {
  const nameWidth = widths[NAME] ?? NAME_WIDTH
  let left = nameWidth
  const ordered = bySection(columns)
  const placed = ordered.map((column, at): Placed => {
    const wanted = widths[column.id] ?? usualWidth(column, lengths.get(column.id) ?? 0)
    const width = at === ordered.length - 1 ? Math.max(wanted, room - left) : wanted
    const here = { column, left, width, isFirst: ordered[at - 1]?.section !== column.section }
    left += width
    return here
  })
  const sections = SECTIONS.flatMap((section) => {
    const own = placed.filter(({ column }) => column.section === section)
    const first = own[0]
    return first === undefined
      ? []
      : [{ section, title: TITLES[section], left: first.left, width: own.reduce((sum, { width }) => sum + width, 0) }]
  })
  return { nameWidth, columns: placed, sections, width: Math.max(left, room) }
}

function usualWidth(column: Column, length: number): number {
  if (column.isTrace) return 94
  if (column.section === 'about') return ABOUT_WIDTHS[column.subject] ?? 90
  const title = (column.section === 'metric' ? 34 : 22) + 5.6 * column.title.length
  return Math.round(Math.min(132, Math.max(column.section === 'metric' ? 76 : 52, title, 17 + 6.7 * length)))
}

/** How many letters the longest text of each column has, as far as the first runs tell. */
export function lengths(columns: readonly Column[], entries: readonly Entry[]): ReadonlyMap<string, number> {
  const first = entries.slice(0, 200)
  const written = columns.filter(({ section }) => section === 'hparam')
  return new Map(
    written.map((column) => [
      column.id,
      Math.max(0, ...first.map(({ name }) => column.format(column.value(name)).length)),
    ]),
  )
}

/** The ids after one was moved by so many places among those of its section. */
export function moved(columns: readonly Column[], id: string, by: number): readonly string[] {
  const ordered = [...bySection(columns)]
  const from = ordered.findIndex((column) => column.id === id)
  const column = ordered[from]
  if (column === undefined) return ordered.map((other) => other.id)
  const own = ordered.filter((other) => other.section === column.section)
  const to = Math.min(own.length - 1, Math.max(0, own.indexOf(column) + by))
  const target = own[to]
  if (target === undefined || target === column) return ordered.map((other) => other.id)
  const place = ordered.indexOf(target)
  ordered.splice(from, 1)
  ordered.splice(place, 0, column)
  return ordered.map((other) => other.id)
}

/** What a column's values span. */
export interface Spread {
  readonly best: number | null
  readonly worst: number | null
  /** The greatest one, whatever its sign. */
  readonly size: number
}

export function spread(column: Column, entries: Iterable<Entry>): Spread {
  let [low, high] = [Infinity, -Infinity]
  for (const { name } of entries) {
    const value = column.value(name)
    if (typeof value !== 'number' || !Number.isFinite(value)) continue
    low = Math.min(low, value)
    high = Math.max(high, value)
  }
  if (low > high) return { best: null, worst: null, size: 0 }
  const [best, worst] = column.better === null ? [null, null] : column.better === 'lower' ? [low, high] : [high, low]
  return { best, worst, size: Math.max(Math.abs(low), Math.abs(high)) }
}

/** How good a value is among those of its column, 0 to 1; null where nothing is good or bad. */
export function goodness({ best, worst }: Spread, value: Value): number | null {
  if (best === null || worst === null || best === worst || typeof value !== 'number' || !Number.isFinite(value))
    return null
  return Math.abs((value - worst) / (best - worst))
}

/** Of the finite values; null if there are none. */
export function mean(column: Column, entries: readonly Entry[]): number | null {
  let [sum, count] = [0, 0]
  for (const { name } of entries) {
    const value = column.value(name)
    if (typeof value !== 'number' || !Number.isFinite(value)) continue
    sum += value
    count++
  }
  return count === 0 ? null : sum / count
}

/** Hyper-parameters that are not the same in all of these runs. */
export function varying(
  entries: readonly Entry[],
  hparamsOf: (run: string) => ReadonlyMap<string, HParam>,
): readonly string[] {
  const [first] = entries
  if (first === undefined) return []
  const usual = hparamsOf(first.name)
  const found = new Set<string>()
  for (const { name } of entries) {
    const values = hparamsOf(name)
    for (const [hparam, value] of values) if (usual.get(hparam) !== value) found.add(hparam)
    if (values.size !== usual.size) for (const hparam of usual.keys()) if (!values.has(hparam)) found.add(hparam)
  }
  return [...found].sort(natural)
}

/** `lr varies`, `lr and wd vary`, `lr, wd and 3 more vary` */
export function varySentence(names: readonly string[]): string {
  if (names.length === 0) return ''
  const shown = names.length > 4 ? [...names.slice(0, 3), `${String(names.length - 3)} more`] : names
  const last = shown.at(-1) ?? ''
  return `${shown.length === 1 ? last : `${shown.slice(0, -1).join(', ')} and ${last}`} ${names.length === 1 ? 'varies' : 'vary'}`
}

/** The table as a file: every value in full, a line for each run. */
export function toCsv(columns: readonly Column[], groups: readonly Group[]): string {
  const values = bySection(columns).filter((column) => !column.isTrace)
  const isGrouped = groups.some(({ name }) => name !== '')
  const head = ['run', ...(isGrouped ? ['group'] : []), ...values.map((column) => column.longTitle)]
  const lines = groups.flatMap((group) =>
    group.entries.map(({ name }) => [
      name,
      ...(isGrouped ? [group.name] : []),
      ...values.map((column) => column.value(name)),
    ]),
  )
  return [head, ...lines].map((line) => `${line.map(field).join(',')}\r\n`).join('')
}

function field(value: Value): string {
  const text = value === null ? '' : typeof value === 'number' && Number.isNaN(value) ? 'nan' : String(value)
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
