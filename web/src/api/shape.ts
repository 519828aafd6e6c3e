// Data from outside is `unknown` until these have looked at it; what is not as promised throws a ShapeError.

/** A response that is not what this page expects, mostly because the server is of another version. */
export class ShapeError extends Error {
  override readonly name = 'ShapeError'
}

/** `where` is what the value is called in its surroundings. */
export type Parse<T> = (value: unknown, where: string) => T

function expected(what: string, where: string, value: unknown): ShapeError {
  const found = value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value
  return new ShapeError(`${where} is ${found}, not ${what}`)
}

export const text: Parse<string> = (value, where) => {
  if (typeof value !== 'string') throw expected('a string', where, value)
  return value
}

export const number: Parse<number> = (value, where) => {
  if (typeof value !== 'number') throw expected('a number', where, value)
  return value
}

/** Also those that JSON lacks, which come as words. */
export const real: Parse<number> = (value, where) => {
  if (value === 'NaN') return NaN
  if (value === 'Infinity') return Infinity
  if (value === '-Infinity') return -Infinity
  return number(value, where)
}

export const flag: Parse<boolean> = (value, where) => {
  if (typeof value !== 'boolean') throw expected('a boolean', where, value)
  return value
}

/** One of these words. */
export function word<T extends string>(...words: readonly T[]): Parse<T> {
  return (value, where) => {
    const found = words.find((one) => one === value)
    if (found === undefined) throw expected(`one of ${words.join(', ')}`, where, value)
    return found
  }
}

/** Whatever it is: the page keeps it as it came. */
export const anything: Parse<unknown> = (value) => value

/** What may also be null. */
export function nullable<T>(parse: Parse<T>): Parse<T | null> {
  return (value, where) => (value === null ? null : parse(value, where))
}

/** What may be left out, and then is `otherwise`. */
export function optional<T, O>(parse: Parse<T>, otherwise: O): Parse<T | O> {
  return (value, where) => (value === undefined ? otherwise : parse(value, where))
}

export function list<T>(parse: Parse<T>): Parse<readonly T[]> {
  return (value, where) => {
    if (!Array.isArray(value)) throw expected('an array', where, value)
    const found: T[] = []
    try {
      for (const item of value as unknown[]) found.push(parse(item, ''))
    } catch (error) {
      throw within(error, `${where}[${String(found.length)}]`)
    }
    return found
  }
}

/** An object whose fields have any names, and values of one kind. */
export function record<T>(parse: Parse<T>): Parse<ReadonlyMap<string, T>> {
  return (value, where) => {
    const found = new Map<string, T>()
    for (const [name, item] of Object.entries(fieldsOf(value, where))) {
      try {
        found.set(name, parse(item, ''))
      } catch (error) {
        throw within(error, `${where}.${name}`)
      }
    }
    return found
  }
}

/** An object with these fields; others are left out, so that a newer server may add some. */
export function object<T>(fields: { readonly [Name in keyof T]: Parse<T[Name]> }): Parse<T> {
  return (value, where) => {
    const given = fieldsOf(value, where)
    const found: Partial<T> = {}
    let at = ''
    try {
      for (const name in fields) {
        at = name
        found[name] = fields[name](given[name], '')
      }
    } catch (error) {
      throw within(error, `${where}.${at}`)
    }
    return found as T
  }
}

function fieldsOf(value: unknown, where: string): Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw expected('an object', where, value)
  return value as Readonly<Record<string, unknown>>
}

/** The path is put together when something is wrong: ten thousand runs have a hundred thousand fields that are right. */
function within(error: unknown, where: string): unknown {
  return error instanceof ShapeError ? new ShapeError(`${where}${error.message}`) : error
}
