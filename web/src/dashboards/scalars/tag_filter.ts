// Which tags the text of the tag filter means.

/** A regular expression, unanchored, whatever the case; as plain text while it is none. */
export function tagMatcher(text: string): (tag: string) => boolean {
  if (text === '') return () => true
  const pattern = asPattern(text)
  if (pattern !== null) return (tag) => pattern.test(tag)
  const plain = text.toLowerCase()
  return (tag) => tag.toLowerCase().includes(plain)
}

/** Null when it is no regular expression. */
export function asPattern(text: string): RegExp | null {
  try {
    return new RegExp(text, 'i')
  } catch {
    return null
  }
}

/** The expression that means just this tag. */
export function escapePattern(tag: string): string {
  return `^${tag.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}$`
}
