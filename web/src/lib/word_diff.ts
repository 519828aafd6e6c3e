// What changed from one text to another, word by word: Myers' greedy algorithm, bounded.

export interface DiffPart {
  readonly kind: 'same' | 'removed' | 'added'
  readonly text: string
}

// Texts with more differences have nothing in common that is worth showing.
const MOST_EDITS = 400
const MOST_WORDS = 20_000

/** Words with the space behind them; line ends stand for themselves. */
function words(text: string): string[] {
  return text.match(/\n|[^\S\n]+|[\p{L}\p{N}_]+|[^\s\p{L}\p{N}_]/gu) ?? []
}

/** Parts in the order of the new text, what was removed before what was added; null if the texts are too long or too different. */
export function wordDiff(before: string, after: string): readonly DiffPart[] | null {
  if (before === after) return before === '' ? [] : [{ kind: 'same', text: before }]
  const [a, b] = [words(before), words(after)]
  if (a.length + b.length > MOST_WORDS) return null
  let start = 0
  while (start < a.length && start < b.length && a[start] === b[start]) start++
  let end = 0
  while (end < a.length - start && end < b.length - start && a[a.length - 1 - end] === b[b.length - 1 - end]) end++
  const middle = edits(a.slice(start, a.length - end), b.slice(start, b.length - end))
  if (middle === null) return null
  return joined([
    ...a.slice(0, start).map((text): DiffPart => ({ kind: 'same', text })),
    ...middle,
    ...a.slice(a.length - end).map((text): DiffPart => ({ kind: 'same', text })),
  ])
}

/** http://www.xmailserver.org/diff2.pdf */
function edits(a: readonly string[], b: readonly string[]): DiffPart[] | null {
  const most = Math.min(MOST_EDITS, a.length + b.length)
  const furthest = new Map<number, number>([[1, 0]])
  const trace: ReadonlyMap<number, number>[] = []
  for (let count = 0; count <= most; count++) {
    trace.push(new Map(furthest))
    for (let k = -count; k <= count; k += 2) {
      const isDown = k === -count || (k !== count && (furthest.get(k - 1) ?? -1) < (furthest.get(k + 1) ?? -1))
      let x = isDown ? (furthest.get(k + 1) ?? 0) : (furthest.get(k - 1) ?? 0) + 1
      while (x < a.length && x - k < b.length && a[x] === b[x - k]) x++
      furthest.set(k, x)
      if (x >= a.length && x - k >= b.length) return path(trace, a, b)
    }
  }
  return null
}

function path(trace: readonly ReadonlyMap<number, number>[], a: readonly string[], b: readonly string[]): DiffPart[] {
  const parts: DiffPart[] = []
  let [x, y] = [a.length, b.length]
  for (let count = trace.length - 1; count >= 0; count--) {
    const furthest = trace[count] ?? new Map<number, number>()
    const k = x - y
    const isDown = k === -count || (k !== count && (furthest.get(k - 1) ?? -1) < (furthest.get(k + 1) ?? -1))
    const previous = isDown ? k + 1 : k - 1
    const fromX = furthest.get(previous) ?? 0
    const fromY = fromX - previous
    while (x > Math.max(fromX, 0) && y > Math.max(fromY, 0)) {
      parts.push({ kind: 'same', text: a[x - 1] ?? '' })
      x--
      y--
    }
    if (count === 0) break
    if (isDown) parts.push({ kind: 'added', text: b[y - 1] ?? '' })
    else parts.push({ kind: 'removed', text: a[x - 1] ?? '' })
    ;[x, y] = [fromX, fromY]
  }
  return parts.reverse()
}

/** Neighbours of one kind in one; of a change, what was removed comes first, with the spaces in between. */
function joined(parts: readonly DiffPart[]): DiffPart[] {
  const found: DiffPart[] = []
  let [removed, added] = ['', '']
  const flush = (): void => {
    if (removed !== '') found.push({ kind: 'removed', text: removed })
    if (added !== '') found.push({ kind: 'added', text: added })
    removed = added = ''
  }
  parts.forEach((part, at) => {
    if (part.kind === 'removed') removed += part.text
    else if (part.kind === 'added') added += part.text
    else {
      const next = parts[at + 1]
      const isBetween = part.text.trim() === '' && !part.text.includes('\n') && (removed !== '' || added !== '')
      if (isBetween && next !== undefined && next.kind !== 'same') {
        removed += part.text
        added += part.text
        return
      }
      flush()
      const last = found.at(-1)
      if (last?.kind === 'same') found[found.length - 1] = { kind: 'same', text: last.text + part.text }
      else found.push(part)
    }
  })
  flush()
  return found
}
