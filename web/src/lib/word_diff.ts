// What changed from one text to another, word by word.
import { diffArrays } from 'diff'

export interface DiffPart {
  readonly kind: 'same' | 'removed' | 'added'
  readonly text: string
}

// Texts with more differences have nothing in common that is worth showing, and take long to compare.
const MOST_EDITS = 400
const MOST_WORDS = 20_000

/** Words, marks, spaces and line ends. */
function words(text: string): string[] {
  return text.match(/\n|[^\S\n]+|[\p{L}\p{N}_]+|[^\s\p{L}\p{N}_]/gu) ?? []
}

/** Parts in the order of the new text, what was removed before what was added; null if the texts are too long or too different. */
export function wordDiff(before: string, after: string): readonly DiffPart[] | null {
  const [a, b] = [words(before), words(after)]
  if (a.length + b.length > MOST_WORDS) return null
  const changes = diffArrays(a, b, { maxEditLength: MOST_EDITS })
  if (changes === undefined) return null
  return joined(
    changes.map(({ added, removed, value }): DiffPart => ({
      kind: added ? 'added' : removed ? 'removed' : 'same',
      text: value.join(''),
    })),
  )
}

/** A change of several words is one, with the spaces in between; what was removed comes first. */
function joined(parts: readonly DiffPart[]): DiffPart[] {
  const found: DiffPart[] = []
  let [removed, added] = ['', '']
  /** The space behind both is not part of the change. */
  const flush = (): string => {
    const space = /[^\S\n]+$/.exec(removed)?.[0] ?? ''
    const isShared = space !== '' && added.endsWith(space)
    if (isShared) [removed, added] = [removed.slice(0, -space.length), added.slice(0, -space.length)]
    if (removed !== '') found.push({ kind: 'removed', text: removed })
    if (added !== '') found.push({ kind: 'added', text: added })
    removed = added = ''
    return isShared ? space : ''
  }
  parts.forEach((part, at) => {
    if (part.kind === 'removed') removed += part.text
    else if (part.kind === 'added') added += part.text
    else if (/^[^\S\n]+$/.test(part.text) && at > 0 && at < parts.length - 1) {
      removed += part.text
      added += part.text
    } else {
      found.push({ kind: 'same', text: flush() + part.text })
    }
  })
  const rest = flush()
  return rest === '' ? found : [...found, { kind: 'same', text: rest }]
}
