// Regular expressions that take linear time whatever they are: a person's slip must not freeze the page, as it can with RegExp.
import { ExpressionError } from './error'
import { build, find, type Edge, type Node, type Program } from './machine'

const MAX_DEPTH = 100
const PLAIN_ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', f: '\f', v: '\v' }
const EDGES: Readonly<Record<string, Edge>> = { b: 'word', B: 'inside', A: 'start', z: 'end' }
const SYNTAX = /[\^$\\.*+?()[\]{}|/-]/

/** An expression that matches somewhere in a text, whatever the case unless it begins with `(?-i)`. */
export interface Regex {
  test(text: string): boolean
}

/** Throws an ExpressionError; `offset` is where the pattern begins in what the person wrote. */
export function regex(pattern: string, offset = 0): Regex {
  const program = compiled(pattern, offset, false)
  return { test: (text) => find(program, text) !== null }
}

/** What the groups of a pattern hold where it matches first; null without a match. The case counts unless it begins with `(?i)`. */
export type Capture = (text: string) => readonly string[] | null

/** Throws an ExpressionError. A group that took no part holds nothing. */
export function capture(pattern: string): Capture {
  const program = compiled(pattern, 0, true)
  return (text) => find(program, text)
}

function compiled(pattern: string, offset: number, captures: boolean): Program {
  const parser = new Parser(pattern, offset, captures)
  return build(parser.parse(), captures ? parser.groups : 0, offset)
}

class Parser {
  #at = 0
  #depth = 0
  #groups = 0
  readonly #mindsCase: boolean
  readonly #chars: readonly string[]

  constructor(
    pattern: string,
    readonly offset: number,
    mindsCase: boolean,
  ) {
    const flags = /^\(\?(-?)i\)/.exec(pattern)
    this.#mindsCase = flags === null ? mindsCase : flags[1] === '-'
    this.#chars = Array.from(pattern)
    this.#at = flags?.[0].length ?? 0
  }

  /** How many groups capture something. */
  get groups(): number {
    return this.#groups
  }

  parse(): Node {
    const node = this.#choice()
    if (this.#at < this.#chars.length) throw this.#error('Unmatched closing parenthesis')
    return node
  }

  #choice(): Node {
    const parts = [this.#sequence()]
    while (this.#take('|')) parts.push(this.#sequence())
    return parts.length === 1 && parts[0] !== undefined ? parts[0] : { kind: 'choice', parts }
  }

  #sequence(): Node {
    const parts: Node[] = []
    for (let char = this.#peek(); char !== undefined && char !== '|' && char !== ')'; char = this.#peek()) {
      parts.push(this.#repeated())
    }
    return { kind: 'sequence', parts }
  }

  #repeated(): Node {
    let node = this.#atom()
    for (;;) {
      const times = this.#times()
      if (times === null) return node
      node = { kind: 'repeat', body: node, min: times[0], max: times[1], isLazy: this.#take('?') }
    }
  }

  #times(): readonly [number, number] | null {
    if (this.#take('*')) return [0, Infinity]
    if (this.#take('+')) return [1, Infinity]
    if (this.#take('?')) return [0, 1]
    const counted = /^\{(\d{1,4})(?:(,)(\d{0,4}))?\}/.exec(this.#chars.slice(this.#at, this.#at + 12).join(''))
    if (counted === null) return null
    const min = Number(counted[1])
    const max = counted[2] === undefined ? min : counted[3] ? Number(counted[3]) : Infinity
    if (max < min) throw this.#error('Max repeat is below min repeat')
    this.#at += counted[0].length
    return [min, max]
  }

  #atom(): Node {
    const char = this.#peek() ?? ''
    if (char === '(') return this.#group()
    if (char === '[') return this.#set()
    if (char === '\\') return this.#escape()
    if (char === '*' || char === '+' || char === '?') throw this.#error(`Nothing to repeat before ${char}`)
    this.#at++
    if (char === '^') return { kind: 'edge', edge: 'start' }
    if (char === '$') return { kind: 'edge', edge: 'end' }
    if (char === '.') return { kind: 'char', test: (other) => other !== '\n' }
    return this.#literal(char)
  }

  #group(): Node {
    const opened = this.#at
    if (++this.#depth > MAX_DEPTH) throw this.#error('Parentheses are nested too deeply')
    this.#at++
    const group = this.#take('?') && !this.#isCapture() ? null : this.#groups++
    const body = this.#choice()
    if (!this.#take(')')) throw this.#error('Unclosed parenthesis', opened)
    this.#depth--
    return group === null ? body : { kind: 'group', group, body }
  }

  /** Behind `(?`: a name captures, `:` does not; looking around cannot be done in linear time. */
  #isCapture(): boolean {
    const rest = this.#chars.slice(this.#at, this.#at + 80).join('')
    const kind = /^(?::|P?<[A-Za-z_]\w*>)/.exec(rest)?.[0]
    if (kind === undefined && /^<?[=!]/.test(rest)) throw this.#error('Lookahead and lookbehind are not supported')
    if (kind === undefined) throw this.#error('This kind of group is not supported')
    this.#at += kind.length
    return kind !== ':'
  }

  #set(): Node {
    const opened = this.#at++
    let source = this.#take('^') ? '[^' : '['
    // A closing bracket that comes first is one of the characters.
    if (this.#take(']')) source += '\\]'
    for (let char = this.#peek(); char !== ']'; char = this.#peek()) {
      if (char === undefined) throw this.#error('Unclosed bracket', opened)
      this.#at++
      const next = this.#peek() ?? ''
      if (char !== '\\') source += char === '[' ? '\\[' : char
      else {
        this.#at++
        source += /\w/.test(next) || SYNTAX.test(next) ? `\\${next}` : next
      }
    }
    this.#at++
    return this.#class(`${source}]`, opened)
  }

  #escape(): Node {
    const opened = this.#at++
    const char = this.#peek()
    if (char === undefined) throw this.#error('Nothing follows the last backslash', opened)
    const known = /^(?:[dDwWsS]|x[\da-fA-F]{2}|u\{[\da-fA-F]+\}|u[\da-fA-F]{4}|[pP]\{[^}]*\})/.exec(
      this.#chars.slice(this.#at, this.#at + 60).join(''),
    )
    if (known !== null) {
      this.#at += known[0].length
      return this.#class(`\\${known[0]}`, opened)
    }
    this.#at++
    const edge = EDGES[char]
    if (edge !== undefined) return { kind: 'edge', edge }
    const plain = PLAIN_ESCAPES[char]
    if (plain !== undefined) return this.#literal(plain)
    if (/\d/.test(char)) throw this.#error('Backreferences are not supported', opened)
    if (/[A-Za-z]/.test(char)) throw this.#error(`Unknown escape \\${char}`, opened)
    return this.#literal(char)
  }

  #literal(char: string): Node {
    if (this.#mindsCase) return { kind: 'char', test: (other) => other === char }
    const folded = char.toLowerCase()
    return { kind: 'char', test: (other) => other === char || other.toLowerCase() === folded }
  }

  /** RegExp knows the classes; of one character it decides at once. */
  #class(source: string, opened: number): Node {
    let one: RegExp
    try {
      one = new RegExp(`^${source}$`, this.#mindsCase ? 'u' : 'iu')
    } catch {
      throw this.#error(`${source} is not a character set`, opened)
    }
    const known = new Map<string, boolean>()
    const test = (char: string): boolean => {
      let answer = known.get(char)
      if (answer === undefined) known.set(char, (answer = one.test(char)))
      return answer
    }
    return { kind: 'char', test }
  }

  #peek(): string | undefined {
    return this.#chars[this.#at]
  }

  #take(char: string): boolean {
    if (this.#peek() !== char) return false
    this.#at++
    return true
  }

  #error(message: string, at = this.#at): ExpressionError {
    return new ExpressionError(message, this.offset + this.#chars.slice(0, at).join('').length)
  }
}
