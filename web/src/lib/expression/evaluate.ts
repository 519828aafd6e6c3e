// Filter expressions: which runs a tree is true of, and why others are left out.
import { ExpressionError } from './error'
import type { Clause, Comparison, Expression, Literal, Name, Operator } from './parse'

/** What a run has under a name; several for the labels of a run, null for nothing. */
export type Cell = number | string | boolean | readonly string[] | null

export interface Field {
  value(run: string): Cell
}

/** What the names in an expression mean. */
export interface Fields {
  /** Null if there is nothing of that name on the whole board. */
  field(name: string, isQuoted: boolean): Field | null
  labels(run: string): readonly string[]
}

export type Check = (run: string) => boolean

/** A part that must hold, with the words for runs of which it does not. */
export interface Requirement {
  readonly check: Check
  /** `with lr of 0.01 or more`, `without lr`: of a run that fails. */
  reason(run: string): string
}

/** Throws an ExpressionError for names that nothing has. */
export function compile(expression: Expression, fields: Fields): Check {
  switch (expression.kind) {
    case 'and': {
      const parts = expression.parts.map((part) => compile(part, fields))
      return (run) => parts.every((part) => part(run))
    }
    case 'or': {
      const parts = expression.parts.map((part) => compile(part, fields))
      return (run) => parts.some((part) => part(run))
    }
    case 'not': {
      const part = compile(expression.part, fields)
      return (run) => !part(run)
    }
    case 'clause':
      return compileClause(expression.clause, fields)
  }
}

/** The parts that `and` joins at the top. */
export function requirements(expression: Expression, fields: Fields): readonly Requirement[] {
  if (expression.kind === 'and') return expression.parts.flatMap((part) => requirements(part, fields))
  const check = compile(expression, fields)
  if (expression.kind === 'clause' && expression.clause.kind === 'compare') {
    const clause: Comparison = expression.clause
    const field = find(clause.name, fields)
    return [
      {
        check,
        reason: (run) =>
          field.value(run) === null
            ? `without ${clause.name.text}`
            : opposite(clause.name.text, clause.operator, clause.literals),
      },
    ]
  }
  if (expression.kind === 'clause') {
    const { kind, name } = expression.clause
    return [{ check, reason: () => (kind === 'has' ? `without ${name.text}` : `where ${name.text} is not set`) }]
  }
  return [
    {
      check,
      reason: () => (expression.kind === 'not' ? `with ${expression.part.text}` : `without any of ${expression.text}`),
    },
  ]
}

function compileClause(clause: Clause, fields: Fields): Check {
  if (clause.kind === 'has') {
    const { text, isQuoted } = clause.name
    const field = fields.field(text, isQuoted)
    const label = text.toLowerCase()
    return (run) =>
      isThere(field?.value(run) ?? null) || fields.labels(run).some((other) => other.toLowerCase() === label)
  }
  const field = find(clause.name, fields)
  const test = clause.kind === 'compare' ? comparison(clause) : isTrue
  return (run) => test(field.value(run))
}

function find(name: Name, fields: Fields): Field {
  const field = fields.field(name.text, name.isQuoted)
  if (field === null) throw new ExpressionError(`No run has a hyper-parameter or tag called “${name.text}”`, name.from)
  return field
}

function isThere(value: Cell): boolean {
  return value !== null && (!Array.isArray(value) || value.length > 0)
}

function isTrue(value: Cell): boolean {
  if (typeof value === 'number') return value !== 0 && !Number.isNaN(value)
  if (typeof value === 'string') return value !== '' && value.toLowerCase() !== 'false'
  return value === true || (Array.isArray(value) && value.length > 0)
}

/** A missing value fails every comparison. */
function comparison({ operator, literals }: Comparison): (value: Cell) => boolean {
  const [first] = literals
  if (first === undefined) return () => false
  const one = (test: (value: number | string | boolean) => boolean): ((value: Cell) => boolean) => {
    return (value) =>
      value !== null && (Array.isArray(value) ? value.some(test) : test(value as number | string | boolean))
  }
  // “Other than” of several values means other than each of them.
  const none = (test: (value: number | string | boolean) => boolean): ((value: Cell) => boolean) => {
    return (value) =>
      value !== null && !(Array.isArray(value) ? value.some(test) : test(value as number | string | boolean))
  }
  switch (operator) {
    case '=':
      return one((value) => isEqual(value, first))
    case '!=':
      return none((value) => isEqual(value, first))
    case 'in':
      return one((value) => literals.some((literal) => isEqual(value, literal)))
    case 'not in':
      return none((value) => literals.some((literal) => isEqual(value, literal)))
    case '~':
      return one((value) => first.regex?.test(String(value)) === true)
    case '!~':
      return none((value) => first.regex?.test(String(value)) === true)
    case '<':
      return one((value) => order(value, first) < 0)
    case '<=':
      return one((value) => order(value, first) <= 0)
    case '>':
      return one((value) => order(value, first) > 0)
    case '>=':
      return one((value) => order(value, first) >= 0)
  }
}

const FLAGS: Readonly<Record<string, boolean>> = {
  true: true,
  yes: true,
  on: true,
  '1': true,
  false: false,
  no: false,
  off: false,
  '0': false,
}

function isEqual(value: number | string | boolean, literal: Literal): boolean {
  if (typeof value === 'boolean') return FLAGS[literal.text.toLowerCase()] === value
  if (literal.number !== null) {
    const number = toNumber(value)
    // float32 columns and decimal literals differ in the eighth digit.
    if (
      number !== null &&
      (number === literal.number || Math.abs(number - literal.number) <= 1e-6 * Math.abs(literal.number))
    )
      return true
  }
  return String(value).toLowerCase() === literal.text.toLowerCase()
}

/** Negative when the value comes first; NaN, which fails every comparison, when they cannot be compared. */
function order(value: number | string | boolean, literal: Literal): number {
  if (literal.number !== null) {
    const number = toNumber(value)
    if (number === null) return NaN
    return number === literal.number ? 0 : number - literal.number
  }
  return typeof value === 'string'
    ? value.localeCompare(literal.text, 'en', { numeric: true, sensitivity: 'base' })
    : NaN
}

/** Hyper-parameters are often logged as text. */
function toNumber(value: number | string | boolean): number | null {
  if (typeof value === 'number') return value
  if (typeof value === 'boolean' || value.trim() === '') return null
  const number = Number(value)
  return Number.isNaN(number) ? null : number
}

function opposite(name: string, operator: Operator, literals: readonly Literal[]): string {
  const listed = literals.map((literal) => literal.text).join(', ')
  switch (operator) {
    case '<':
      return `with ${name} of ${listed} or more`
    case '<=':
      return `with ${name} above ${listed}`
    case '>':
      return `with ${name} of ${listed} or less`
    case '>=':
      return `with ${name} below ${listed}`
    case '=':
    case 'in':
      return `with ${name} other than ${listed}`
    case '!=':
    case 'not in':
      return `with ${name} of ${listed}`
    case '~':
      return `with ${name} not like ${listed}`
    case '!~':
      return `with ${name} like ${listed}`
  }
}
