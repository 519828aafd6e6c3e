// Which tags the text of the tag filter means.
import { ExpressionError } from '../lib/expression/error'
import { regex, type Regex } from '../lib/expression/regex'

/** A regular expression, unanchored, whatever the case; as plain text while it is invalid. */
export function tagMatcher(text: string): (tag: string) => boolean {
  if (text === '') return () => true
  const pattern = asPattern(text)
  if (pattern !== null) return (tag) => pattern.test(tag)
  const plain = text.toLowerCase()
  return (tag) => tag.toLowerCase().includes(plain)
}

/** Null when it is not a valid regular expression. */
export function asPattern(text: string): Regex | null {
  try {
    return regex(text)
  } catch (error) {
    if (error instanceof ExpressionError) return null
    throw error
  }
}

/** The expression that means just this tag. */
export function escapePattern(tag: string): string {
  return `^${tag.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}$`
}
