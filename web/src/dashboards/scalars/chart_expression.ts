// Checks the expression of a chart while it is typed, by the server's grammar (`store/expression.py`), and names tags that do not exist.

export interface ExpressionFault {
  /** One sentence. */
  readonly message: string
  /** Index of the first character that is wrong. */
  readonly at: number
  /** For an unknown tag: its end, and what may have been meant, best first. */
  readonly end: number
  readonly suggestions: readonly string[]
}

interface Token {
  readonly kind: 'number' | 'word' | 'quoted' | 'sign' | 'end'
  readonly text: string
  readonly at: number
  readonly end: number
}

const TOKEN =
  /\s*(?:(?<number>(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)(?![\p{L}\p{N}_.])|(?<word>[\p{L}_][\p{L}\p{N}_./:@#%$[\]]*)|`(?<quoted>[^`]+)`|(?<sign>[-+*/(),]))/uy
const PLAIN = /^[\p{L}_][\p{L}\p{N}_./:@#%$[\]]*$/u
const FUNCTIONS = ['abs', 'log', 'log10', 'exp', 'sqrt', 'min', 'max']
const OF_SEVERAL = ['min', 'max']
const DEEPEST = 50
const MOST_SUGGESTIONS = 3

class Fault extends Error {
  readonly at: number
  readonly end: number

  constructor(message: string, at: number, end = at) {
    super(message)
    this.at = at
    this.end = end
  }
}

/** What is wrong with the expression; null if nothing is. With `tags`, each tag must be one of them. */
export function expressionFault(text: string, tags: readonly string[] | null): ExpressionFault | null {
  try {
    const named = new Parser(tokens(text)).parsed()
    if (named.length === 0) return { message: 'Name at least one tag.', at: 0, end: 0, suggestions: [] }
    const known = tags === null ? null : new Set(tags)
    const unknown = known === null ? undefined : named.find((token) => !known.has(token.text))
    if (unknown === undefined || tags === null) return null
    const suggestions = similar(unknown.text, tags)
    return { message: `Unknown tag “${unknown.text}”.`, at: unknown.at, end: unknown.end, suggestions }
  } catch (error) {
    if (error instanceof Fault) return { message: error.message, at: error.at, end: error.end, suggestions: [] }
    throw error
  }
}

/** The text with another tag in place of the unknown one, in backticks where it needs them. */
export function corrected(text: string, { at, end }: ExpressionFault, tag: string): string {
  return text.slice(0, at) + (PLAIN.test(tag) ? tag : `\`${tag}\``) + text.slice(end)
}

/** The tags that differ from `name` by a few letters, nearest first. */
export function similar(name: string, tags: readonly string[]): string[] {
  const most = Math.max(2, Math.floor(name.length / 3))
  const lower = name.toLowerCase()
  return tags
    .map((tag) => ({ tag, away: distance(lower, tag.toLowerCase(), most) }))
    .filter(({ away }) => away <= most)
    .sort((one, other) => one.away - other.away)
    .slice(0, MOST_SUGGESTIONS)
    .map(({ tag }) => tag)
}

/** How many letters to insert, delete or replace; more than `most` counts as `most + 1`. */
function distance(one: string, other: string, most: number): number {
  if (Math.abs(one.length - other.length) > most) return most + 1
  let row = Array.from({ length: other.length + 1 }, (_, at) => at)
  for (let at = 1; at <= one.length; at++) {
    const next = [at]
    for (let to = 1; to <= other.length; to++) {
      const replaced = (row[to - 1] ?? 0) + (one[at - 1] === other[to - 1] ? 0 : 1)
      next.push(Math.min(replaced, (row[to] ?? 0) + 1, (next[to - 1] ?? 0) + 1))
    }
    row = next
  }
  return Math.min(row.at(-1) ?? 0, most + 1)
}

function tokens(text: string): Token[] {
  const found: Token[] = []
  const end = text.trimEnd().length
  let at = 0
  while (at < end) {
    TOKEN.lastIndex = at
    const match = TOKEN.exec(text)
    if (match === null) throw unreadable(text, at + (text.slice(at).length - text.slice(at).trimStart().length))
    // TypeScript believes that every group took part.
    const parts: Readonly<Record<string, string | undefined>> = match.groups ?? {}
    const [kind, content = ''] = Object.entries(parts).find(([, part]) => part !== undefined) ?? ['sign']
    at += match[0].length
    const width = kind === 'quoted' ? content.length + 2 : content.length
    found.push({ kind: kind as Token['kind'], text: content, at: at - width, end: at })
  }
  return [...found, { kind: 'end', text: '', at: end, end }]
}

function unreadable(text: string, at: number): Fault {
  const char = String.fromCodePoint(text.codePointAt(at) ?? 0)
  if (char === '`') return new Fault('Unclosed or empty backticks.', at)
  if (/[\d.]/.test(char)) return new Fault('Not a number; put tags that start with a digit in backticks.', at)
  return new Fault(`Unexpected “${char}”; put tags that contain it in backticks.`, at)
}

class Parser {
  readonly #tokens: readonly Token[]
  #at = 0
  #depth = 0
  readonly #tags: Token[] = []

  constructor(all: readonly Token[]) {
    this.#tokens = all
  }

  parsed(): readonly Token[] {
    this.#sum()
    if (this.#next.kind === 'end') return this.#tags
    throw this.#next.text === ')' ? new Fault('Unmatched closing parenthesis.', this.#next.at) : this.#unexpected()
  }

  get #next(): Token {
    return this.#tokens[this.#at] ?? { kind: 'end', text: '', at: 0, end: 0 }
  }

  #is(signs: string): boolean {
    return this.#next.kind === 'sign' && signs.includes(this.#next.text)
  }

  #take(): Token {
    const token = this.#next
    this.#at++
    return token
  }

  #unexpected(): Fault {
    const { kind, text, at } = this.#next
    return kind === 'end'
      ? new Fault('A tag, a number or “(” is missing at the end.', at)
      : new Fault(`Unexpected “${text}”.`, at)
  }

  #sum(): void {
    this.#factor()
    while (this.#is('+-*/')) {
      this.#take()
      this.#factor()
    }
  }

  #factor(): void {
    if (++this.#depth > DEEPEST) throw new Fault('Nested too deeply.', this.#next.at)
    if (this.#is('-')) {
      this.#take()
      this.#factor()
    } else if (this.#is('(')) {
      const opened = this.#take()
      this.#sum()
      this.#close(opened)
    } else if (this.#next.kind === 'number') this.#take()
    else if (this.#next.kind === 'word' || this.#next.kind === 'quoted') this.#named(this.#take())
    else throw this.#unexpected()
    this.#depth--
  }

  #close(opened: Token): void {
    if (this.#next.kind === 'end') throw new Fault('Unclosed parenthesis.', opened.at)
    if (!this.#is(')')) throw this.#unexpected()
    this.#take()
  }

  #named(name: Token): void {
    if (name.kind === 'quoted' || !this.#is('(')) {
      this.#tags.push(name)
      return
    }
    if (!FUNCTIONS.includes(name.text))
      throw new Fault(`Unknown function “${name.text}”; use one of ${FUNCTIONS.join(', ')}.`, name.at)
    const opened = this.#take()
    const takesSeveral = OF_SEVERAL.includes(name.text)
    // The parenthesis is the first thing to mend, also when nothing follows it.
    if (this.#next.kind === 'end') throw new Fault('Unclosed parenthesis.', opened.at)
    this.#sum()
    let operands = 1
    while (takesSeveral && this.#is(',')) {
      this.#take()
      this.#sum()
      operands++
    }
    this.#close(opened)
    if (takesSeveral && operands === 1) throw new Fault(`“${name.text}” takes at least two values.`, name.at)
  }
}
