// Regular expressions that take linear time whatever they are: a person's slip must not freeze the page, as it can with RegExp.
import { ExpressionError } from './error'

type Test = (char: string) => boolean
type Edge = 'start' | 'end' | 'word' | 'inside'

type Node =
  | { readonly kind: 'char'; readonly test: Test }
  | { readonly kind: 'edge'; readonly edge: Edge }
  | { readonly kind: 'sequence' | 'choice'; readonly parts: readonly Node[] }
  | { readonly kind: 'repeat'; readonly body: Node; readonly min: number; readonly max: number }

/** A step of the machine: all threads that wait for a character advance together, each state at most once. */
type Op =
  | { readonly kind: 'char'; readonly test: Test; readonly next: number }
  | { readonly kind: 'edge'; readonly edge: Edge; readonly next: number }
  | { readonly kind: 'split'; to: readonly number[] }
  | { readonly kind: 'match' }

const MAX_OPS = 5_000
const MAX_DEPTH = 100
const PLAIN_ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', f: '\f', v: '\v' }
const EDGES: Readonly<Record<string, Edge>> = { b: 'word', B: 'inside', A: 'start', z: 'end' }
const SYNTAX = /[\^$\\.*+?()[\]{}|/-]/
const WORD = /[\p{L}\p{N}_]/u

/** An expression that matches somewhere in a text, whatever the case unless it begins with `(?-i)`. */
export interface Regex {
  test(text: string): boolean
}

/** Throws an ExpressionError; `offset` is where the pattern begins in what the person wrote. */
export function regex(pattern: string, offset = 0): Regex {
  const ops: Op[] = [{ kind: 'match' }]
  const start = build(new Parser(pattern, offset).parse(), 0, ops, offset)
  return { test: (text) => run(ops, start, text) }
}

class Parser {
  #at = 0
  #depth = 0
  #mindsCase = false
  readonly #chars: readonly string[]

  constructor(
    pattern: string,
    readonly offset: number,
  ) {
    const flags = /^\(\?(-?)i\)/.exec(pattern)
    this.#mindsCase = flags?.[1] === '-'
    this.#chars = Array.from(pattern)
    this.#at = flags?.[0].length ?? 0
  }

  parse(): Node {
    const node = this.#choice()
    if (this.#at < this.#chars.length) throw this.#error('This closing parenthesis opens nowhere')
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
      // Lazy or greedy makes no difference to whether there is a match.
      this.#take('?')
      node = { kind: 'repeat', body: node, min: times[0], max: times[1] }
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
    if (max < min) throw this.#error('This asks for at most fewer than at least')
    this.#at += counted[0].length
    return [min, max]
  }

  #atom(): Node {
    const char = this.#peek() ?? ''
    if (char === '(') return this.#group()
    if (char === '[') return this.#set()
    if (char === '\\') return this.#escape()
    if (char === '*' || char === '+' || char === '?') throw this.#error(`There is nothing before ${char} that could be repeated`)
    this.#at++
    if (char === '^') return { kind: 'edge', edge: 'start' }
    if (char === '$') return { kind: 'edge', edge: 'end' }
    if (char === '.') return { kind: 'char', test: (other) => other !== '\n' }
    return this.#literal(char)
  }

  #group(): Node {
    const opened = this.#at
    if (++this.#depth > MAX_DEPTH) throw this.#error('There are too many parentheses within each other')
    this.#at++
    if (this.#take('?')) this.#groupKind()
    const node = this.#choice()
    if (!this.#take(')')) throw this.#error('This parenthesis is not closed', opened)
    this.#depth--
    return node
  }

  /** Behind `(?`: names and captures make no difference, looking around cannot be done in linear time. */
  #groupKind(): void {
    const rest = this.#chars.slice(this.#at, this.#at + 80).join('')
    const named = /^(?::|P?<[A-Za-z_]\w*>)/.exec(rest)
    if (named !== null) this.#at += named[0].length
    else if (/^<?[=!]/.test(rest)) throw this.#error('Looking ahead or behind is not supported')
    else throw this.#error('This kind of group is not supported')
  }

  #set(): Node {
    const opened = this.#at++
    let source = this.#take('^') ? '[^' : '['
    // A closing bracket that comes first is one of the characters.
    if (this.#take(']')) source += '\\]'
    for (let char = this.#peek(); char !== ']'; char = this.#peek()) {
      if (char === undefined) throw this.#error('This bracket is not closed', opened)
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
    if (char === undefined) throw this.#error('There is nothing behind the last backslash', opened)
    const known = /^(?:[dDwWsS]|x[\da-fA-F]{2}|u\{[\da-fA-F]+\}|u[\da-fA-F]{4}|[pP]\{[^}]*\})/.exec(this.#chars.slice(this.#at, this.#at + 60).join(''))
    if (known !== null) {
      this.#at += known[0].length
      return this.#class(`\\${known[0]}`, opened)
    }
    this.#at++
    const edge = EDGES[char]
    if (edge !== undefined) return { kind: 'edge', edge }
    const plain = PLAIN_ESCAPES[char]
    if (plain !== undefined) return this.#literal(plain)
    if (/\d/.test(char)) throw this.#error('Referring back to a group is not supported', opened)
    if (/[A-Za-z]/.test(char)) throw this.#error(`\\${char} means nothing here`, opened)
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
      throw this.#error(`${source} is no set of characters`, opened)
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

/** Adds what matches `node` and then goes on at `next`; answers with where it begins. */
function build(node: Node, next: number, ops: Op[], offset: number): number {
  const push = (op: Op): number => {
    if (ops.length >= MAX_OPS) throw new ExpressionError('This expression is too large', offset)
    return ops.push(op) - 1
  }
  switch (node.kind) {
    case 'char':
      return push({ kind: 'char', test: node.test, next })
    case 'edge':
      return push({ kind: 'edge', edge: node.edge, next })
    case 'sequence':
      return node.parts.reduceRight((after, part) => build(part, after, ops, offset), next)
    case 'choice':
      return push({ kind: 'split', to: node.parts.map((part) => build(part, next, ops, offset)) })
    case 'repeat': {
      let start = next
      if (node.max === Infinity) {
        const loop: Op = { kind: 'split', to: [] }
        start = push(loop)
        loop.to = [build(node.body, start, ops, offset), next]
      } else {
        for (let n = node.min; n < node.max; n++) start = push({ kind: 'split', to: [build(node.body, start, ops, offset), next] })
      }
      for (let n = 0; n < node.min; n++) start = build(node.body, start, ops, offset)
      return start
    }
  }
}

function run(ops: readonly Op[], start: number, text: string): boolean {
  const chars = Array.from(text)
  const seenAt = new Int32Array(ops.length).fill(-1)
  const pending: number[] = []
  for (let at = 0; at <= chars.length; at++) {
    // Threads that arrive here, and one that begins here.
    pending.push(start)
    const char = chars[at]
    const waiting: number[] = []
    for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
      if (seenAt[next] === at) continue
      seenAt[next] = at
      const op = ops[next]
      if (op === undefined || op.kind === 'match') return true
      if (op.kind === 'split') pending.push(...op.to)
      else if (op.kind === 'char') waiting.push(next)
      else if (isAt(op.edge, chars, at)) pending.push(op.next)
    }
    if (char === undefined) return false
    for (const state of waiting) {
      const op = ops[state]
      if (op?.kind === 'char' && op.test(char)) pending.push(op.next)
    }
  }
  return false
}

function isAt(edge: Edge, chars: readonly string[], at: number): boolean {
  if (edge === 'start') return at === 0
  if (edge === 'end') return at === chars.length
  const isBorder = WORD.test(chars[at - 1] ?? '') !== WORD.test(chars[at] ?? '')
  return edge === 'word' ? isBorder : !isBorder
}
