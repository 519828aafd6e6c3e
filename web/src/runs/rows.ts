// The lines of the rail from top to bottom, each with its place, so that only those on the screen are made.
import type { Group } from '../state/groups.svelte'
import type { Entry, Part } from '../state/runs.svelte'

export type Line =
  | { readonly kind: 'pinned'; readonly count: number }
  | { readonly kind: 'group'; readonly group: Group; readonly isOpen: boolean }
  | {
      readonly kind: 'run'
      readonly entry: Entry
      readonly group: Group | null
      readonly isOpen: boolean
      readonly isLastPinned: boolean
    }
  | { readonly kind: 'part'; readonly entry: Entry; readonly part: Part }
  | { readonly kind: 'hidden'; readonly group: Group; readonly entries: readonly Entry[]; readonly isOpen: boolean }

export type Row = Line & {
  /** Tells lines apart while others come and go. */
  readonly key: string
  readonly top: number
  readonly height: number
}

const ROW = 26
const HEADER = 28

export interface Layout {
  readonly groups: readonly Group[]
  isPinned(name: string): boolean
  isOpen(group: Group): boolean
  /** Whether the parts of a run are listed. */
  isSpread(name: string): boolean
  /** Whether a run is listed after the others of its group, in a section that is closed at first. */
  isSetAside(name: string): boolean
  /** Whether those of a group that are set aside are listed. */
  isHiddenOpen(group: Group): boolean
}

export function rowsOf(layout: Layout): readonly Row[] {
  const rows: Row[] = []
  let top = 0
  const add = (line: Line, key: string, height: number): void => {
    rows.push({ ...line, key, top, height })
    top += height
  }
  const addRun = (entry: Entry, group: Group | null, isLastPinned: boolean): void => {
    const isOpen = entry.parts.length > 0 && layout.isSpread(entry.name)
    add({ kind: 'run', entry, group, isOpen, isLastPinned: isLastPinned && !isOpen }, `run:${entry.name}`, ROW)
    if (!isOpen) return
    for (const part of entry.parts) add({ kind: 'part', entry, part }, `part:${part.run.name}`, ROW)
  }

  const pinned = layout.groups.flatMap((group) => group.entries.filter(({ name }) => layout.isPinned(name)))
  if (pinned.length > 0) {
    add({ kind: 'pinned', count: pinned.length }, 'pinned', HEADER)
    pinned.forEach((entry, at) => {
      addRun(entry, null, at === pinned.length - 1)
    })
  }
  for (const group of layout.groups) {
    const isOpen = group.name === '' || layout.isOpen(group)
    if (group.name !== '') add({ kind: 'group', group, isOpen }, `group:${group.key}`, HEADER)
    if (!isOpen) continue
    const unpinned = group.entries.filter(({ name }) => !layout.isPinned(name))
    const hidden = unpinned.filter(({ name }) => layout.isSetAside(name))
    for (const entry of unpinned) if (!layout.isSetAside(entry.name)) addRun(entry, group, false)
    if (hidden.length === 0) continue
    const isHiddenOpen = layout.isHiddenOpen(group)
    add({ kind: 'hidden', group, entries: hidden, isOpen: isHiddenOpen }, `hidden:${group.key}`, ROW)
    if (isHiddenOpen) for (const entry of hidden) addRun(entry, group, false)
  }
  return rows
}

export function heightOf(rows: readonly Row[]): number {
  const last = rows.at(-1)
  return last === undefined ? 0 : last.top + last.height
}

/** The first and behind the last of the rows that are between `top` and `bottom`. */
export function visible(rows: readonly Row[], top: number, bottom: number): readonly [from: number, to: number] {
  return [firstBelow(rows, (row) => row.top + row.height > top), firstBelow(rows, (row) => row.top >= bottom)]
}

/** The first row that `isBelow`, as all behind it are; how many there are if none is. */
function firstBelow(rows: readonly Row[], isBelow: (row: Row) => boolean): number {
  let low = 0
  let high = rows.length
  while (low < high) {
    const middle = (low + high) >> 1
    const row = rows[middle]
    if (row !== undefined && isBelow(row)) high = middle
    else low = middle + 1
  }
  return low
}
