// Data from outside is `unknown` until these have looked at it; what is not as promised throws a ShapeError.

/** An answer that is not what this page expects, mostly because it is of another version. */
export class ShapeError extends Error {
  override readonly name = 'ShapeError'
}

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

export const flag: Parse<boolean> = (value, where) => {
  if (typeof value !== 'boolean') throw expected('a boolean', where, value)
  return value
}

/** What may also be null. */
export function nullable<T>(parse: Parse<T>): Parse<T | null> {
  return (value, where) => (value === null ? null : parse(value, where))
}

export function list<T>(parse: Parse<T>): Parse<readonly T[]> {
  return (value, where) => {
    if (!Array.isArray(value)) throw expected('an array', where, value)
    return value.map((item: unknown, at) => parse(item, `${where}[${String(at)}]`))
  }
}

/** An object with these fields; others are left out, so that a newer server may add some. */
export function object<T>(fields: { readonly [Name in keyof T]: Parse<T[Name]> }): Parse<T> {
  return (value, where) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) throw expected('an object', where, value)
    const given = value as Readonly<Record<string, unknown>>
    const found: Partial<T> = {}
    for (const name in fields) found[name] = fields[name](given[name], `${where}.${name}`)
    return found as T
  }
}
