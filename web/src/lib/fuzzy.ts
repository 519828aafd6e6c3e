// Finding names by a few of their letters.

export interface Found {
  /** Higher is better. */
  readonly score: number
  /** The letters that were found: pairs of from and to. */
  readonly ranges: readonly (readonly [from: number, to: number])[]
}

/** All words of the query must be in the text, each as it is or letter by letter; null if not. */
export function find(query: string, text: string): Found | null {
  const words = query.trim().toLowerCase().split(/\s+/)
  if (words[0] === '') return { score: 0, ranges: [] }
  const lower = text.toLowerCase()
  let score = -text.length / 100
  const ranges: (readonly [number, number])[] = []
  for (const word of words) {
    const found = whole(word, lower) ?? letters(word, lower)
    if (found === null) return null
    score += found.score
    ranges.push(...found.ranges)
  }
  return { score, ranges: merged(ranges) }
}

function isStart(text: string, at: number): boolean {
  return at === 0 || !/[\p{L}\p{N}]/u.test(text[at - 1] ?? '')
}

function whole(word: string, text: string): Found | null {
  let best = text.indexOf(word)
  if (best < 0) return null
  for (let at = best; at >= 0; at = text.indexOf(word, at + 1)) {
    if (!isStart(text, at)) continue
    best = at
    break
  }
  const score =
    10 + word.length + (isStart(text, best) ? 10 : 0) + (best === 0 ? 5 : 0) + (text.length === word.length ? 20 : 0)
  return { score, ranges: [[best, best + word.length]] }
}

/** Letters in order; few and long pieces, and pieces at the starts of words, count for more. */
function letters(word: string, text: string): Found | null {
  const ranges: [number, number][] = []
  let from = 0
  let score = 0
  for (const letter of word) {
    const next = text.indexOf(letter, from)
    if (next < 0) return null
    const last = ranges.at(-1)
    if (last?.[1] === next) {
      last[1] += letter.length
      score += 1
    } else {
      ranges.push([next, next + letter.length])
      score += isStart(text, next) ? 1 : -2
    }
    from = next + letter.length
  }
  // Letters scattered over a text are not a match, and two letters are in everything.
  const isStrewn = ranges.length > Math.max(2, word.length / 2) && score < word.length / 2
  return word.length < 3 || isStrewn ? null : { score, ranges }
}

function merged(ranges: readonly (readonly [number, number])[]): readonly (readonly [number, number])[] {
  const result: [number, number][] = []
  for (const [from, to] of [...ranges].sort((a, b) => a[0] - b[0])) {
    const last = result.at(-1)
    if (last !== undefined && from <= last[1]) last[1] = Math.max(last[1], to)
    else result.push([from, to])
  }
  return result
}

/** The best of them, best first; equal ones stay in order. */
export function best<T>(
  query: string,
  items: readonly T[],
  name: (item: T) => string,
  limit: number,
): { item: T; found: Found }[] {
  const all: { item: T; found: Found }[] = []
  for (const item of items) {
    const found = find(query, name(item))
    if (found !== null) all.push({ item, found })
  }
  return all.sort((a, b) => b.found.score - a.found.score).slice(0, limit)
}
