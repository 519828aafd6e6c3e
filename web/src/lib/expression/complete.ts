// What could come next in a filter: names, comparisons, values, and words that join.
import { tokens, type Token } from './tokens'

export interface Suggestion {
  /** What is put in the place of what is typed. */
  readonly text: string
  /** What it is: `hyper-parameter`, `metric`; empty where it goes without saying. */
  readonly detail: string
}

export interface Completion {
  /** The part of the text that a suggestion replaces. */
  readonly from: number
  readonly to: number
  readonly suggestions: readonly Suggestion[]
}

export interface Vocabulary {
  readonly names: readonly { readonly name: string; readonly detail: string }[]
  /** What may follow the name of a tag after a point: `max`. */
  readonly stats: readonly string[]
  /** Values that a name has, as they are written; empty for those that are too many. */
  values(name: string): readonly string[]
}

type Place = 'operand' | 'has' | 'operator' | 'value' | 'list' | 'in' | 'next' | 'join'

const MAX_SUGGESTIONS = 12
const COMPARISONS: readonly Suggestion[] = [
  { text: '<', detail: 'less than' },
  { text: '<=', detail: 'at most' },
  { text: '>', detail: 'more than' },
  { text: '>=', detail: 'at least' },
  { text: '=', detail: 'equal to' },
  { text: '!=', detail: 'not equal to' },
  { text: '~', detail: 'matches a regular expression' },
  { text: 'in (', detail: 'one of a list' },
]
const JOINS: readonly Suggestion[] = [
  { text: 'and', detail: 'both conditions are true' },
  { text: 'or', detail: 'either condition is true' },
]
const STARTS: readonly Suggestion[] = [
  { text: 'not', detail: 'negates a condition' },
  { text: 'has', detail: 'has the tag, parameter or label' },
]
const PLAIN_NAME = /^[^\s()"'`,<>=~!\d+.-][^\s()"'`,<>=~!]*$/
const RESERVED = /^(?:and|or|not|in|has|name|status|tags|note|points|duration|started|inf)$/i

/** A name as an expression takes it: in backticks where it would be taken for something else. */
export function nameText(name: string): string {
  return PLAIN_NAME.test(name) && !RESERVED.test(name) ? name : `\`${name}\``
}

/** A value as an expression takes it. */
export function valueText(value: number | string | boolean): string {
  if (typeof value === 'boolean') return String(value)
  if (typeof value === 'number') return String(value)
  return /^[^\s()"'`,<>=~!]+$/.test(value) && !/^(?:and|or|not|in|has)$/i.test(value)
    ? value
    : `"${value.replace(/["\\]/g, '\\$&')}"`
}

export function complete(text: string, caret: number, vocabulary: Vocabulary): Completion {
  const before = text.slice(0, caret)
  const open = openBacktick(before)
  const read = open ?? readTokens(before)
  if (read === null) return { from: caret, to: caret, suggestions: [] }
  const { done, typed, from } = read
  const { place, name } = placeBehind(done)
  return { from, to: caret, suggestions: suggest(place, name, typed, vocabulary).slice(0, MAX_SUGGESTIONS) }
}

interface Read {
  /** What is complete. */
  readonly done: readonly Token[]
  /** What is being typed, and where it begins. */
  readonly typed: string
  readonly from: number
}

function openBacktick(before: string): Read | null {
  if ((before.match(/`/g) ?? []).length % 2 === 0) return null
  const from = before.lastIndexOf('`')
  return { done: readTokens(before.slice(0, from))?.done ?? [], typed: before.slice(from + 1), from }
}

function readTokens(before: string): Read | null {
  let found: readonly Token[]
  try {
    found = tokens(before)
  } catch {
    return null
  }
  const last = found.at(-1)
  const isTyping =
    last?.to === before.length && (last.kind === 'name' || last.kind === 'number' || last.kind === 'keyword')
  if (last === undefined || !isTyping) return { done: found, typed: '', from: before.length }
  return { done: found.slice(0, -1), typed: before.slice(last.from), from: last.from }
}

function placeBehind(done: readonly Token[]): { readonly place: Place; readonly name: string } {
  let place: Place = 'operand'
  let name = ''
  for (const token of done) {
    if (place === 'operand' && token.kind === 'name') name = token.text
    place = follow(place, token)
  }
  return { place, name }
}

function follow(place: Place, { kind, text }: Token): Place {
  if (kind === 'keyword' && (text === 'and' || text === 'or')) return 'operand'
  switch (place) {
    case 'operand':
      return kind === 'keyword' ? (text === 'has' ? 'has' : 'operand') : kind === 'open' ? 'operand' : 'operator'
    case 'operator':
      return kind === 'operator' ? 'value' : kind === 'keyword' ? (text === 'in' ? 'list' : 'operator') : 'join'
    case 'list':
      return 'in'
    case 'in':
      return 'next'
    case 'next':
      return kind === 'comma' ? 'in' : 'join'
    case 'has':
    case 'value':
    case 'join':
      return 'join'
  }
}

function suggest(place: Place, name: string, typed: string, vocabulary: Vocabulary): readonly Suggestion[] {
  switch (place) {
    case 'operand':
      return [...names(typed, vocabulary), ...(typed === '' ? [] : starting(STARTS, typed))]
    case 'has':
      return names(typed, vocabulary)
    case 'operator':
      return starting([...COMPARISONS, ...JOINS], typed)
    case 'value':
    case 'in': {
      const values = vocabulary.values(name).map((value) => ({ text: value, detail: '' }))
      return ranked(values, typed, ({ text }) => text)
    }
    case 'next':
    case 'join':
      return starting(JOINS, typed)
    case 'list':
      return []
  }
}

function names(typed: string, { names, stats }: Vocabulary): readonly Suggestion[] {
  const dot = typed.lastIndexOf('.')
  const tag = typed.slice(0, dot).toLowerCase()
  const whole =
    dot > 0 ? names.find(({ name, detail }) => detail === 'metric' && name.toLowerCase() === tag) : undefined
  const withStats =
    whole === undefined
      ? []
      : stats
          .filter((stat) => stat.startsWith(typed.slice(dot + 1).toLowerCase()))
          .map((stat) => ({ text: `${nameText(whole.name)}.${stat}`, detail: 'metric' }))
  const found = ranked(names, typed, ({ name }) => name).map(({ name, detail }) => ({
    text: detail === 'field' ? name : nameText(name),
    detail,
  }))
  // A complete word needs no suggestion.
  return [...withStats, ...found].filter(({ text }) => text !== typed)
}

function starting(list: readonly Suggestion[], typed: string): readonly Suggestion[] {
  return list.filter(({ text }) => text !== typed && text.startsWith(typed.toLowerCase()))
}

/** Those that hold what is typed: at the beginning, behind a slash, anywhere. */
function ranked<Item>(items: readonly Item[], typed: string, nameOf: (item: Item) => string): readonly Item[] {
  const wanted = typed.toLowerCase()
  const rank = (name: string): number =>
    name.startsWith(wanted) ? 0 : name.includes(`/${wanted}`) ? 1 : name.includes(wanted) ? 2 : 3
  return items
    .map((item) => ({ item, rank: rank(nameOf(item).toLowerCase()) }))
    .filter((entry) => entry.rank < 3)
    .sort((a, b) => a.rank - b.rank)
    .map(({ item }) => item)
}
