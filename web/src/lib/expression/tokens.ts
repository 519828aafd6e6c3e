// The words of a filter expression, with their places: for the parser, and for the field that shows them.
import { ExpressionError } from './error'

export type TokenKind = 'name' | 'text' | 'number' | 'regex' | 'operator' | 'keyword' | 'open' | 'close' | 'comma'

export interface Token {
  readonly kind: TokenKind
  /** What it says, without quotes; keywords in lower case. */
  readonly text: string
  readonly from: number
  readonly to: number
  /** In backticks: a name and nothing else, whatever it looks like. */
  readonly isQuoted: boolean
}

const KEYWORDS: Readonly<Record<string, string>> = {
  and: 'and',
  '&&': 'and',
  or: 'or',
  '||': 'or',
  not: 'not',
  in: 'in',
  has: 'has',
}
const OPERATOR = /(?:[<>=!]=|!~|[<>=~])/y
// Whatever is neither space, quote, parenthesis, comma nor operator.
const WORD = /(?:[^\s()"'`,<>=~!]|!(?![=~]))+/y
const QUOTED: Readonly<Record<string, RegExp>> = {
  '"': /"((?:[^"\\]|\\.)*)"/y,
  "'": /'((?:[^'\\]|\\.)*)'/y,
  '`': /`([^`]*)`((?:\.\w+)?)/y,
}
const SLASHED = /\/((?:[^/\\]|\\.)*)\//y
const PUNCTUATION: Readonly<Record<string, TokenKind>> = { '(': 'open', ')': 'close', ',': 'comma' }

/** Throws an ExpressionError where a quote is not closed. */
export function tokens(text: string): readonly Token[] {
  const found: Token[] = []
  let at = 0
  const add = (kind: TokenKind, said: string, to: number, isQuoted = false): void => {
    found.push({ kind, text: said, from: at, to, isQuoted })
    at = to
  }
  while (at < text.length) {
    const char = text.charAt(at)
    const punctuation = PUNCTUATION[char]
    const quoted = QUOTED[char]
    const last = found.at(-1)
    if (/\s/.test(char)) at++
    else if (last?.kind === 'operator' && last.text.endsWith('~') && quoted === undefined) {
      const slashed = match(SLASHED, text, at)
      if (slashed !== null) add('regex', slashed[1] ?? '', at + slashed[0].length)
      else {
        const to = endOfPattern(text, at)
        add('regex', text.slice(at, to), to)
      }
    } else if (quoted !== undefined) {
      const inside = match(quoted, text, at)
      if (inside === null) throw new ExpressionError(`Unclosed ${char === '`' ? 'backtick' : 'quote'}`, at)
      const said = inside[1] ?? ''
      if (char === '`') add('name', said + (inside[2] ?? ''), at + inside[0].length, true)
      else add('text', said.replace(/\\(.)/gs, '$1'), at + inside[0].length)
    } else if (punctuation !== undefined) add(punctuation, char, at + 1)
    else {
      const operator = match(OPERATOR, text, at)
      if (operator !== null) add('operator', operator[0] === '==' ? '=' : operator[0], at + operator[0].length)
      else addWord(match(WORD, text, at)?.[0] ?? char)
    }
  }
  return found

  function addWord(word: string): void {
    const keyword = KEYWORDS[word.toLowerCase()]
    if (keyword !== undefined) add('keyword', keyword, at + word.length)
    else add(quantity(word) === null ? 'name' : 'number', word, at + word.length)
  }
}

function match(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at
  return pattern.exec(text)
}

/** A regular expression without quotes extends to the next space, or to a parenthesis that it did not open. */
function endOfPattern(text: string, from: number): number {
  let depth = 0
  let isSet = false
  let at = from
  for (; at < text.length && !/\s/.test(text.charAt(at)); at++) {
    const char = text.charAt(at)
    if (char === '\\') at++
    else if (isSet) isSet = char !== ']'
    else if (char === '[') isSet = true
    else if (char === '(') depth++
    else if (char === ')' && depth-- === 0) break
  }
  return Math.min(at, text.length)
}

const SCALES: Readonly<Record<string, number>> = {
  '': 1,
  n: 1e-9,
  u: 1e-6,
  µ: 1e-6,
  μ: 1e-6,
  m: 1e-3,
  k: 1e3,
  K: 1e3,
  M: 1e6,
  G: 1e9,
  T: 1e12,
  '%': 0.01,
  s: 1,
  min: 60,
  h: 3600,
  d: 86400,
  w: 604800,
}
const NUMBER = /^([+-]?(?:\d[\d_]*\.?[\d_]*|\.\d[\d_]*)(?:e[+-]?\d+)?)(%|min|[nuµμmkKMGTshdw])?$/i
const SPECIAL: Readonly<Record<string, number>> = { inf: Infinity, '+inf': Infinity, '-inf': -Infinity }

/** `0.01`, `1e-3`, `10k`, `300µ`, `2h`: the number that a word means, or null. Times are in seconds. */
export function quantity(word: string): number | null {
  const parts = NUMBER.exec(word)
  if (parts === null) return SPECIAL[word.toLowerCase()] ?? null
  const scale = SCALES[parts[2] ?? ''] ?? SCALES[(parts[2] ?? '').toLowerCase()]
  const number = Number(parts[1]?.replaceAll('_', ''))
  if (scale === undefined || Number.isNaN(number)) return null
  // 300 / 1e6 is exact where 300 * 1e-6 is not.
  return scale < 1 ? number / Math.round(1 / scale) : number * scale
}
