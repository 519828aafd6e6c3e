// Which notes belong to a card.
import type { ChartNote } from '../state/curation.svelte'

/** Whether a note is about one of these tags, or about all of them. */
export function concerns(note: ChartNote, names: readonly string[]): boolean {
  return note.tag === null || names.includes(note.tag)
}
