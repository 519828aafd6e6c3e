// The facts of the view that every dashboard shares: which runs, which cards, their order and colours.
import { before, flag, keyed, many, maybe, number, one, range, text, word, type Fact, type Word } from '../../lib/query'
import type { Range } from '../../lib/numbers'
import { card, groupKey } from '../card_ids'

export type XAxis = 'step' | 'relative_time' | 'wall_time' | { readonly tag: string }
export type Scale = 'linear' | 'log' | 'symlog'
export type GroupBy =
  | { readonly kind: 'none' | 'folder' | 'seed' }
  | { readonly kind: 'regex'; readonly pattern: string }
  | { readonly kind: 'hparam'; readonly name: string }
export type ColourBy =
  | { readonly kind: 'run' | 'group' }
  | { readonly kind: 'regex'; readonly pattern: string }
  | { readonly kind: 'column'; readonly column: string; readonly brush?: Brush }

/** Only runs with a value in this range are in colour. */
export interface Brush {
  readonly column: string
  readonly range: Range
}

/** Which runs are drawn: a base, and what was changed by hand since. */
export interface Choice {
  readonly base: 'start' | 'all' | 'none'
  readonly shown: readonly string[]
  readonly hidden: readonly string[]
}

export interface SortBy {
  readonly column: string
  readonly descending: boolean
}

/** A step, or all steps from one to another. */
export interface StepRange {
  readonly from: number
  readonly to: number | null
}

/** Bands in place of the lines of each group. */
export interface Aggregate {
  readonly centre: 'mean' | 'median' | 'iqm'
  readonly band: 'std' | 'stderr' | 'minmax' | 'iqr' | 'bootstrap' | 'none'
  /** Whether the members are drawn as hairlines. */
  readonly members: boolean
}

export const DEFAULT_BAND: Aggregate = { centre: 'mean', band: 'std', members: true }

export const scale: Word<Scale> = word('linear', 'log', 'symlog')

const choice: Fact<Choice> = {
  name: 'runs',
  default: { base: 'start', shown: [], hidden: [] },
  read(values) {
    const listed = (mark: string): string[] =>
      values.filter((value) => value.startsWith(mark)).map((value) => value.slice(1))
    const base = values.find((value) => value === 'all' || value === 'none') ?? 'start'
    return { base: base === 'all' || base === 'none' ? base : 'start', shown: listed('+'), hidden: listed('-') }
  },
  write: ({ base, shown, hidden }) => [
    ...(base === 'start' ? [] : [base]),
    ...shown.map((run) => `+${run}`),
    ...hidden.map((run) => `-${run}`),
  ],
}

const groupBy: Word<GroupBy> = {
  read(value) {
    if (value === 'none' || value === 'folder' || value === 'seed') return { kind: value }
    const rest = value.slice(value.indexOf(':') + 1)
    if (value.startsWith('regex:')) return { kind: 'regex', pattern: rest }
    return value.startsWith('hparam:') ? { kind: 'hparam', name: rest } : undefined
  },
  write(by) {
    if (by.kind === 'regex') return `regex:${by.pattern}`
    return by.kind === 'hparam' ? `hparam:${by.name}` : by.kind
  },
}

const colourBy: Fact<ColourBy> = {
  name: 'colour',
  default: { kind: 'run' },
  history: 'step',
  read([value, brush]) {
    if (value === undefined || value === 'run' || value === 'group')
      return value === undefined ? undefined : { kind: value }
    const rest = value.slice(value.indexOf(':') + 1)
    if (value.startsWith('regex:')) return { kind: 'regex', pattern: rest }
    if (!value.startsWith('column:')) return undefined
    const brushed = brush === undefined ? undefined : range.read(before(brush, ';'))
    if (brush === undefined || brushed === undefined) return { kind: 'column', column: rest }
    return { kind: 'column', column: rest, brush: { column: brush.slice(brush.indexOf(';') + 1), range: brushed } }
  },
  write(by) {
    if (by.kind === 'regex') return [`regex:${by.pattern}`]
    if (by.kind !== 'column') return [by.kind]
    return [
      `column:${by.column}`,
      ...(by.brush === undefined ? [] : [`${range.write(by.brush.range)};${by.brush.column}`]),
    ]
  },
}

const sortBy: Word<SortBy> = {
  read(value) {
    const order = before(value, ':')
    return order === 'asc' || order === 'desc'
      ? { column: value.slice(order.length + 1), descending: order === 'desc' }
      : undefined
  },
  write: ({ column, descending }) => `${descending ? 'desc' : 'asc'}:${column}`,
}

const xAxis: Word<XAxis> = {
  read(value) {
    if (value.startsWith('tag:')) return { tag: value.slice(4) }
    if (value === 'step') return 'step'
    return value === 'relative' ? 'relative_time' : value === 'wall' ? 'wall_time' : undefined
  },
  write: (x) => (typeof x === 'object' ? `tag:${x.tag}` : x.replace('_time', '')),
}

const stepRange: Word<StepRange> = {
  read(value) {
    const from = number(value)
    if (from !== undefined) return { from, to: null }
    const both = range.read(value)
    return both === undefined ? undefined : { from: both[0], to: both[1] }
  },
  write: ({ from, to }) => (to === null ? String(from) : range.write([from, to])),
}

const cardSteps = keyed('ownStep', { read: number, write: String }, card)
// Steps may be unlinked before any card was moved.
const UNLINKED = 'on'
const ownSteps: Fact<Readonly<Record<string, number>> | null> = {
  name: cardSteps.name,
  default: null,
  read: (values) => cardSteps.read(values.filter((value) => value !== UNLINKED)),
  write: (steps) => (steps === null ? [] : [UNLINKED, ...cardSteps.write(steps)]),
}

const centres = word('mean', 'median', 'iqm')
const bands = word('std', 'stderr', 'minmax', 'iqr', 'bootstrap', 'none')
const aggregate: Word<Aggregate> = {
  read(value) {
    const [first = '', second = '', third] = value.split(',')
    const [centre, band] = [centres.read(first), bands.read(second)]
    return centre === undefined || band === undefined ? undefined : { centre, band, members: third === 'members' }
  },
  write: ({ centre, band, members }) => [centre, band, ...(members ? ['members'] : [])].join(','),
}

const pinnedCards: Fact<readonly string[] | null> = {
  name: 'pin',
  // No pins at all differ from no statement about pins, which means those that are pinned for all users.
  default: null,
  read: (values) => {
    const named = values.filter((value) => value.startsWith('+')).map((value) => card.read(value.slice(1)))
    return [...new Set(named.filter((id) => id !== undefined))]
  },
  write: (cards) => (cards === null ? [] : cards.length === 0 ? ['none'] : cards.map((id) => `+${card.write(id)}`)),
}

/** In the order of the address. */
export const CORE_FACTS = {
  dashboard: one('tab', text, 'scalars', { history: 'step' }),
  runFilter: one('runFilter', text, '', { history: 'typing' }),
  tagFilter: one('tagFilter', text, '', { history: 'typing' }),
  choice,
  groupBy: one('group', groupBy, { kind: 'folder' }, { history: 'step' }),
  colourBy,
  sortBy: maybe('sort', sortBy),
  x: one('x', xAxis, 'step', { history: 'step' }),
  xScale: one('xScale', scale, 'linear', { history: 'step' }),
  /** The window of x that all cards show; null for everything. */
  window: maybe('window', range),
  /** The selected step or range. */
  selected: maybe('at', stepRange),
  /** The steps of cards by id, while each card has its own; null while all share the selected one. */
  ownSteps,
  aggregate: maybe('bands', aggregate, { history: 'step' }),
  pinnedCards,
  /** The card shown full size. */
  full: maybe('full', card, { history: 'step' }),
  /** Keys of groups of cards and of runs that are collapsed, and of hidden runs that are expanded: those are collapsed by default. */
  collapsed: many('closed', groupKey),
  /** The run table in place of the rail. */
  isTable: flag('table', { history: 'step' }),
  /** The run whose moment is shown, at the selected step; its main tag, the step that it is compared with, and where. */
  momentRun: maybe('moment', text, { history: 'step' }),
  momentTag: maybe('moment.tag', text),
  momentReference: maybe('moment.against', { read: number, write: String }),
  momentIn: one('moment.in', word('view', 'panel'), 'view', { history: 'step' }),
}
