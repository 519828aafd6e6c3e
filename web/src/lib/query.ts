// Facts of the view as parameters of an address: short, readable, each with its own codec and default.
import type { Range } from './numbers'

export type Parameters = readonly (readonly [name: string, value: string])[]

/** How one fact of the view is written in an address. `read` gets the values of its parameter, in order, and returns undefined if they are invalid. */
export interface Fact<T> {
  /** Its parameter: unique, and stable, since links are shared and stored. */
  readonly name: string
  /** Its value while the address does not mention it. */
  readonly default: T
  /**
   * `step`: each change is an entry of the browser's history, which Back undoes. `typing`: changes in quick succession are one entry.
   * Otherwise a change updates the current entry, and Back leaves it.
   */
  readonly history?: 'step' | 'typing'
  /** The parameter that it follows in the address; without it, facts are in the order of their declaration. */
  readonly after?: string
  read(values: readonly string[]): T | undefined
  write(value: T): readonly string[]
}

/** Facts by the names that the code uses for them. */
export type Facts = Readonly<Record<string, Fact<unknown>>>

export type ValuesOf<Declared extends Facts> = {
  readonly [Name in keyof Declared]: Declared[Name] extends Fact<infer T> ? T : never
}

export type FactOptions = Pick<Fact<unknown>, 'history' | 'after'>

/** How one value is written in a parameter. */
export interface Word<T> {
  readonly read: (text: string) => T | undefined
  readonly write: (value: T) => string
}

export const text: Word<string> = { read: (value) => value, write: (value) => value }

export const range: Word<Range> = {
  read(value) {
    const [from, to, ...more] = value.split('..').map(number)
    return from === undefined || to === undefined || more.length > 0 || from > to ? undefined : [from, to]
  },
  write: ([from, to]) => `${toPixel(from, to - from)}..${toPixel(to, to - from)}`,
}

// Finer than a pixel of any screen.
const PLACES = 1e5

/** An end of a range to the precision of a pixel: of the range, and on a logarithmic axis of the value itself. */
function toPixel(value: number, span: number): string {
  const finest = Math.min(span, Math.abs(value)) / PLACES
  const digits = Math.ceil(-Math.log10(finest))
  if (!(finest > 0) || digits > 100) return String(value)
  return String(digits > 0 ? Number(value.toFixed(digits)) : Math.round(value / 10 ** -digits) * 10 ** -digits)
}

/** A finite number; nothing else, not even an empty text. */
export function number(value: string): number | undefined {
  const read = value.trim() === '' ? NaN : Number(value)
  return Number.isFinite(read) ? read : undefined
}

/** One of these values, each with a word of its own. */
export function word<T extends string>(...known: readonly T[]): Word<T> {
  return { read: (value) => known.find((one) => one === value), write: (value) => value }
}

/** A fact of one parameter. */
export function one<T>(
  name: string,
  { read, write }: Word<T>,
  fallback: NoInfer<T>,
  options: FactOptions = {},
): Fact<T> {
  return {
    ...options,
    name,
    default: fallback,
    read: ([value]) => (value === undefined ? undefined : read(value)),
    write: (value) => [write(value)],
  }
}

/** A fact that may be absent: null by default. */
export function maybe<T>(name: string, { read, write }: Word<T>, options: FactOptions = {}): Fact<T | null> {
  return {
    ...options,
    name,
    default: null,
    read: ([value]) => (value === undefined ? undefined : read(value)),
    write: (value) => (value === null ? [] : [write(value)]),
  }
}

/** True if the parameter is present and not `0`. */
export function flag(name: string, options: FactOptions = {}): Fact<boolean> {
  return {
    ...options,
    name,
    default: false,
    read: ([value]) => value !== undefined && value !== '0',
    write: (value) => (value ? ['1'] : []),
  }
}

/** A list, empty by default: the parameter once for each item; invalid items are left out. */
export function many<T>(name: string, { read, write }: Word<T>, options: FactOptions = {}): Fact<readonly T[]> {
  return {
    ...options,
    name,
    default: [],
    read: (values) => values.map(read).filter((value) => value !== undefined),
    write: (values) => values.map(write),
  }
}

/** Values by key, none by default: the parameter once for each, `value;key`. */
export function keyed<T>(
  name: string,
  { read, write }: Word<T>,
  keys: Word<string> = text,
  options: FactOptions = {},
): Fact<Readonly<Record<string, T>>> {
  return {
    ...options,
    name,
    default: {},
    read: (values) => {
      const entries = values.map((text): [string | undefined, T | undefined] => [
        keys.read(text.slice(text.indexOf(';') + 1)),
        read(before(text, ';')),
      ])
      return Object.fromEntries(
        entries.filter((entry): entry is [string, T] => entry[0] !== undefined && entry[1] !== undefined),
      )
    },
    write: (values) => Object.entries(values).map(([key, value]) => `${write(value)};${keys.write(key)}`),
  }
}

/** What precedes the first `mark`; empty if there is none. */
export function before(text: string, mark: string): string {
  return text.slice(0, Math.max(0, text.indexOf(mark)))
}

/** Several texts in one, whatever is in them. */
export function joined(parts: readonly string[]): string {
  return parts.map((part) => part.replace(/[\\,]/g, '\\$&')).join(',')
}

export function split(text: string): string[] {
  const parts: string[] = []
  let part = ''
  let isEscaped = false
  for (const mark of text) {
    if (!isEscaped && mark === ',') {
      parts.push(part)
      part = ''
    } else if (isEscaped || mark !== '\\') {
      part += mark
    }
    isEscaped = !isEscaped && mark === '\\'
  }
  return [...parts, part]
}

export function parse(search: string): Parameters {
  return [...new URLSearchParams(search)]
}

const READABLE = /%(2F|3A|3B|2C|40|24|7E|21|28|29|3D)/g

/** With `?` before it; empty if there is nothing to say. Characters that are allowed in a query are not escaped, so that people can read it. */
export function format(parameters: Parameters): string {
  const encoded = parameters.map(([name, value]) => {
    const [key = '', content = ''] = [name, value].map((part) => new URLSearchParams([['', part]]).toString().slice(1))
    // A name must not have what ends it.
    return `${key}=${content.replace(READABLE, (code) => decodeURIComponent(code))}`
  })
  return encoded.length === 0 ? '' : `?${encoded.join('&')}`
}
