// What the text of the filter field is: plain text, a regular expression or an expression over columns.
import { ExpressionError } from './error'
import { parse, type Expression } from './parse'
import { regex, type Regex } from './regex'

export type Query =
  | { readonly kind: 'everything' }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'regex'; readonly regex: Regex | null; readonly error: ExpressionError | null }
  | { readonly kind: 'expression'; readonly expression: Expression | null; readonly error: ExpressionError | null }

const REGEX_SIGNS = /[\^$*+?()[\]{}|\\]/
const SLASHED = /^\/(.*)\/$/s
// A comparison behind a name, or a word that only expressions have in that place. `(?=`, `(?!`, `(?<` and `(?:` are of regular expressions.
const EXPRESSION_SIGNS =
  /(?:^|[^?])(?:[<>=]|!=|!~)|\S\s+~|^[^\s(]+~|^\s*(?:\(\s*)*(?:has|not)\s|\S\s+(?:not\s+)?in\s*\(|\S\s+(?:and|or)\s/i

/** `isInName` returns whether the text is part of the name of a run: it then means those runs, whatever else it could be. */
export function readQuery(text: string, isInName: (text: string) => boolean): Query {
  const wanted = text.trim()
  if (wanted === '') return { kind: 'everything' }
  const slashed = SLASHED.exec(wanted)
  if (slashed !== null && wanted.length > 1) return readRegex(slashed[1] ?? '', text.indexOf('/') + 1)
  const mayBeMore = EXPRESSION_SIGNS.test(wanted) || REGEX_SIGNS.test(wanted)
  if (!mayBeMore || isInName(wanted)) return { kind: 'text', text: wanted }
  if (!EXPRESSION_SIGNS.test(wanted)) return readRegex(wanted, text.length - text.trimStart().length)
  try {
    return { kind: 'expression', expression: parse(text), error: null }
  } catch (error) {
    return { kind: 'expression', expression: null, error: asExpressionError(error) }
  }
}

function readRegex(pattern: string, offset: number): Query {
  try {
    return { kind: 'regex', regex: regex(pattern, offset), error: null }
  } catch (error) {
    return { kind: 'regex', regex: null, error: asExpressionError(error) }
  }
}

/** Anything else is a fault of the program. */
export function asExpressionError(error: unknown): ExpressionError {
  if (error instanceof ExpressionError) return error
  throw error
}
