// Filter expressions: from text to a tree.
import { ExpressionError } from './error'
import { regex, type Regex } from './regex'
import { quantity, tokens, type Token } from './tokens'

export type Operator = '=' | '!=' | '<' | '<=' | '>' | '>=' | '~' | '!~' | 'in' | 'not in'

export interface Name {
  readonly text: string
  /** In backticks: never a field such as `status`. */
  readonly isQuoted: boolean
  readonly from: number
}

/** What a name is compared with. */
export interface Literal {
  readonly text: string
  /** Null for what can only be a text. */
  readonly number: number | null
  /** For `~` alone. */
  readonly regex: Regex | null
}

export interface Comparison {
  readonly kind: 'compare'
  readonly name: Name
  readonly operator: Operator
  readonly literals: readonly Literal[]
}

export type Clause =
  Comparison | { readonly kind: 'has'; readonly name: Name } | { readonly kind: 'true'; readonly name: Name }

export type Expression =
  | { readonly kind: 'and' | 'or'; readonly parts: readonly Expression[]; readonly text: string }
  | { readonly kind: 'not'; readonly part: Expression; readonly text: string }
  | { readonly kind: 'clause'; readonly clause: Clause; readonly text: string }

const MAX_DEPTH = 100
const FLIPPED: Readonly<Record<string, Operator>> = { '<': '>', '<=': '>=', '>': '<', '>=': '<=', '=': '=', '!=': '!=' }

/** Throws an ExpressionError. */
export function parse(text: string): Expression {
  return new Parser(text).parse()
}

class Parser {
  readonly #tokens: readonly Token[]
  #at = 0
  #depth = 0

  constructor(readonly text: string) {
    this.#tokens = tokens(text)
  }

  parse(): Expression {
    const expression = this.#or()
    const rest = this.#peek()
    if (rest?.kind === 'close') throw this.#error('Unmatched closing parenthesis')
    if (rest !== undefined) throw this.#error(`Expected “and” or “or” before “${rest.text}”`)
    return expression
  }

  #or(): Expression {
    return this.#joined('or', () => this.#and())
  }

  #and(): Expression {
    return this.#joined('and', () => this.#unary())
  }

  #joined(kind: 'and' | 'or', part: () => Expression): Expression {
    const from = this.#peek()?.from ?? 0
    const parts = [part()]
    while (this.#takeKeyword(kind)) parts.push(part())
    const first = parts[0]
    return parts.length === 1 && first !== undefined ? first : { kind, parts, text: this.#textFrom(from) }
  }

  #unary(): Expression {
    if (++this.#depth > MAX_DEPTH) throw this.#error('Nested too deeply')
    const from = this.#peek()?.from ?? 0
    let expression: Expression
    if (this.#takeKeyword('not')) {
      const part = this.#unary()
      expression = { kind: 'not', part, text: this.#textFrom(from) }
    } else if (this.#take('open') !== null) {
      expression = this.#or()
      if (this.#take('close') === null) throw this.#error('Unclosed parenthesis', from)
    } else expression = this.#condition(from)
    this.#depth--
    return expression
  }

  #condition(from: number): Expression {
    if (this.#takeKeyword('has')) {
      const name = this.#name('A name is missing after “has”')
      return this.#clause(from, { kind: 'has', name })
    }
    const number = this.#take('number')
    if (number !== null) return this.#flipped(number)
    const name = this.#name('A condition is missing here')
    const operator = this.#operator()
    if (operator === null) return this.#clause(from, { kind: 'true', name })
    const literals = operator.endsWith('in') ? this.#list() : [this.#literal(operator)]
    return this.#clause(from, { kind: 'compare', name, operator, literals })
  }

  /** `0.001 < lr`, `0.001 < lr <= 0.1` */
  #flipped(number: Token): Expression {
    const operator = this.#take('operator')
    const turned = FLIPPED[operator?.text ?? '']
    if (turned === undefined) throw this.#error(`A comparison is missing after ${number.text}`, number.to)
    const name = this.#name(`A name is missing after ${operator?.text ?? ''}`)
    const low = this.#clause(number.from, {
      kind: 'compare',
      name,
      operator: turned,
      literals: [literal(number, turned)],
    })
    const next = this.#operator()
    if (next === null) return low
    const high = this.#clause(name.from, { kind: 'compare', name, operator: next, literals: [this.#literal(next)] })
    return { kind: 'and', parts: [low, high], text: this.#textFrom(number.from) }
  }

  #operator(): Operator | null {
    const operator = this.#take('operator')
    if (operator !== null) return operator.text as Operator
    if (this.#takeKeyword('in')) return 'in'
    const [word, next] = [this.#peek(), this.#tokens[this.#at + 1]]
    if (word?.kind !== 'keyword' || word.text !== 'not' || next?.kind !== 'keyword' || next.text !== 'in') return null
    this.#at += 2
    return 'not in'
  }

  #list(): readonly Literal[] {
    if (this.#take('open') === null) throw this.#error('A list such as (a, b) is missing after “in”')
    const literals = [this.#literal('in')]
    while (this.#take('comma') !== null) literals.push(this.#literal('in'))
    if (this.#take('close') === null) throw this.#error('Unclosed list')
    return literals
  }

  #literal(operator: Operator): Literal {
    const token = this.#peek()
    const isValue = token !== undefined && ['number', 'text', 'name', 'regex'].includes(token.kind)
    if (!isValue) throw this.#error(`A value is missing after ${operator.endsWith('in') ? 'this' : operator}`)
    this.#at++
    return literal(token, operator)
  }

  #name(complaint: string): Name {
    const token = this.#peek()
    if (token?.kind !== 'name' && token?.kind !== 'text') throw this.#error(complaint)
    this.#at++
    return { text: token.text, isQuoted: token.isQuoted || token.kind === 'text', from: token.from }
  }

  #clause(from: number, clause: Clause): Expression {
    return { kind: 'clause', clause, text: this.#textFrom(from) }
  }

  #textFrom(from: number): string {
    return this.text.slice(from, this.#tokens[this.#at - 1]?.to)
  }

  #peek(): Token | undefined {
    return this.#tokens[this.#at]
  }

  #take(kind: Token['kind']): Token | null {
    const token = this.#peek()
    if (token?.kind !== kind) return null
    this.#at++
    return token
  }

  #takeKeyword(keyword: string): boolean {
    const token = this.#peek()
    if (token?.kind !== 'keyword' || token.text !== keyword) return false
    this.#at++
    return true
  }

  /** At the next token, or behind the last one. */
  #error(message: string, at = this.#peek()?.from ?? this.text.trimEnd().length): ExpressionError {
    return new ExpressionError(message, at)
  }
}

function literal(token: Token, operator: Operator): Literal {
  const isPattern = operator === '~' || operator === '!~'
  const offset = token.kind === 'regex' ? token.from : token.from + 1
  return {
    text: token.text,
    number: token.kind === 'number' ? quantity(token.text) : token.kind === 'name' ? date(token.text) : null,
    regex: isPattern ? regex(token.text, offset) : null,
  }
}

/** A day or moment, in seconds since the epoch. */
function date(word: string): number | null {
  const parts = /^(\d{4})-(\d{2})-(\d{2})(?:T(\d{2}):(\d{2}))?$/.exec(word)
  if (parts === null) return null
  const number = (part: number): number => Number(parts[part] ?? 0)
  return new Date(number(1), number(2) - 1, number(3), number(4), number(5)).getTime() / 1000
}
