// What differs between two texts: by line, and inside changed lines by word.
import { diffArrays } from 'diff'

export interface Piece {
  readonly text: string
  readonly isChanged: boolean
}

export interface DiffRow {
  readonly kind: 'same' | 'removed' | 'added'
  /** In the text that it is from; of one that is in both, in the second. */
  readonly line: number
  readonly pieces: readonly Piece[]
}

export interface TextDiff {
  readonly rows: readonly DiffRow[]
  /** Words. */
  readonly added: number
  readonly removed: number
  /** Whether the texts differ too much to be compared word by word. */
  readonly isCoarse: boolean
}

/** Rows that are shown, or how many unchanged ones are not. */
export type DiffPart =
  | { readonly kind: 'rows'; readonly start: number; readonly rows: readonly DiffRow[] }
  | { readonly kind: 'fold'; readonly start: number; readonly end: number }

// Comparing takes time in proportion to the square of these.
const MOST_EDITED_LINES = 1_500
const MOST_EDITED_WORDS = 1_500
const CONTEXT = 3

/** Words, single marks, spaces and ends of lines. Scripts without spaces are compared character by character. */
const TOKENS =
  /\n|[^\S\n]+|[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]|(?:(?![\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}])[\p{L}\p{N}\p{M}_])+|[^\s]/gu
const WORD = /[\p{L}\p{N}]/u

export function diffTexts(before: string, after: string): TextDiff {
  const [old, now] = [linesOf(before), linesOf(after)]
  const found = diffArrays(old, now, { maxEditLength: MOST_EDITED_LINES })
  const building = new Building()
  if (found === undefined) building.addEnds(old, now)
  else {
    let removed: readonly string[] = []
    for (const change of found) {
      if (change.removed) removed = change.value
      else if (change.added) {
        building.change(removed, change.value)
        removed = []
      } else {
        building.change(removed, [])
        removed = []
        building.same(change.value)
      }
    }
    building.change(removed, [])
  }
  const { rows, added, removed, isCoarse } = building
  return { rows, added, removed, isCoarse }
}

function linesOf(text: string): string[] {
  return text === '' ? [] : text.replaceAll('\r\n', '\n').split('\n')
}

class Building {
  readonly rows: DiffRow[] = []
  added = 0
  removed = 0
  isCoarse = false
  #before = 0
  #after = 0

  same(lines: readonly string[]): void {
    for (const line of lines) {
      this.#before++
      this.rows.push({ kind: 'same', line: ++this.#after, pieces: [{ text: line, isChanged: false }] })
    }
  }

  /** Lines that were replaced; one of the sides may be empty. */
  change(old: readonly string[], now: readonly string[]): void {
    if (old.length === 0 && now.length === 0) return
    const [removed, added] = [tokensOf(old), tokensOf(now)]
    const isWhole = old.length === 0 || now.length === 0
    const words = isWhole ? undefined : diffArrays(removed, added, { maxEditLength: MOST_EDITED_WORDS })
    if (words === undefined) {
      this.isCoarse ||= !isWhole
      this.#count(removed, added)
      this.#push('removed', old.map(whole))
      this.#push('added', now.map(whole))
      return
    }
    const [left, right] = [new Side(), new Side()]
    for (const { value, removed: isRemoved, added: isAdded } of words) {
      if (!isAdded) left.add(value, isRemoved)
      if (!isRemoved) right.add(value, isAdded)
      this.#count(isRemoved ? value : [], isAdded ? value : [])
    }
    this.#push('removed', left.lines.map(tidied))
    this.#push('added', right.lines.map(tidied))
  }

  /** For texts that have too little in common: what they begin and end with, and all between. */
  addEnds(old: readonly string[], now: readonly string[]): void {
    this.isCoarse = true
    const most = Math.min(old.length, now.length)
    let start = 0
    while (start < most && old[start] === now[start]) start++
    let end = 0
    while (end < most - start && old[old.length - 1 - end] === now[now.length - 1 - end]) end++
    this.same(old.slice(0, start))
    const [removed, added] = [old.slice(start, old.length - end), now.slice(start, now.length - end)]
    this.#count(tokensOf(removed), tokensOf(added))
    this.#push('removed', removed.map(whole))
    this.#push('added', added.map(whole))
    this.same(old.slice(old.length - end))
  }

  #count(removed: readonly string[], added: readonly string[]): void {
    this.removed += removed.filter((token) => WORD.test(token)).length
    this.added += added.filter((token) => WORD.test(token)).length
  }

  #push(kind: 'removed' | 'added', lines: readonly (readonly Piece[])[]): void {
    for (const pieces of lines)
      this.rows.push({ kind, line: kind === 'removed' ? ++this.#before : ++this.#after, pieces })
  }
}

/** The pieces of one of the two texts, line by line. */
class Side {
  readonly lines: Piece[][] = [[]]

  add(tokens: readonly string[], isChanged: boolean): void {
    let text = ''
    for (const token of tokens) {
      if (token === '\n') {
        this.#append(text, isChanged)
        this.lines.push([])
        text = ''
      } else text += token
    }
    this.#append(text, isChanged)
  }

  #append(text: string, isChanged: boolean): void {
    const line = this.lines.at(-1)
    if (line === undefined || text === '') return
    const [last, gap] = [line.at(-2), line.at(-1)]
    // A space between two changed words is no pause.
    if (isChanged && last?.isChanged === true && gap !== undefined && gap.text.trim() === '') {
      line.splice(-2, 2, { text: last.text + gap.text + text, isChanged })
    } else line.push({ text, isChanged })
  }
}

/** Spaces at the ends of a change are not marked: which of two equal ones is new cannot be seen. */
function tidied(pieces: readonly Piece[]): Piece[] {
  return pieces.flatMap(({ text, isChanged }) => {
    const inner = text.trim()
    if (!isChanged || inner === '' || inner === text) return [{ text, isChanged }]
    const start = text.indexOf(inner)
    const parts = [text.slice(0, start), inner, text.slice(start + inner.length)]
    return parts.flatMap((part, at) => (part === '' ? [] : [{ text: part, isChanged: at === 1 }]))
  })
}

function tokensOf(lines: readonly string[]): string[] {
  return lines.join('\n').match(TOKENS) ?? []
}

function whole(line: string): Piece[] {
  return [{ text: line, isChanged: true }]
}

/** The changed rows with a few around each; `opened` has the starts of folds that are to be seen. */
export function folded(rows: readonly DiffRow[], opened: ReadonlySet<number>): DiffPart[] {
  const isNear = new Uint8Array(rows.length)
  rows.forEach((row, at) => {
    if (row.kind !== 'same') isNear.fill(1, Math.max(0, at - CONTEXT), at + CONTEXT + 1)
  })
  const parts: DiffPart[] = []
  for (let start = 0, end = 0; start < rows.length; start = end) {
    const isShown = isNear[start] === 1
    while (end < rows.length && (isNear[end] === 1) === isShown) end++
    // A button in place of one line saves nothing.
    if (isShown || opened.has(start) || end - start === 1)
      parts.push({ kind: 'rows', start, rows: rows.slice(start, end) })
    else parts.push({ kind: 'fold', start, end })
  }
  return parts
}
