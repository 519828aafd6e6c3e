// What somebody typed about a run, as edits of its curation.
import type { Dash } from '../lib/traces'
import type { Edit, RunCuration } from '../state/curation.svelte'

export interface Draft {
  title: string
  /** `run-7`, `grey` or `#rrggbb`; null for the one that the page gives. */
  colour: string | null
  dash: Dash
  /** Parted by commas. */
  tags: string
  note: string
}

/** What of it somebody wants to change first. */
export type Part = 'title' | 'colour' | 'tags' | 'note'

/** Only what is other than before. */
export function changes(run: string, before: RunCuration, draft: Draft): readonly Edit[] {
  const edits: Edit[] = []
  const set = (fact: string, was: string | undefined, is: string | null): void => {
    if ((was ?? '') !== (is ?? '')) edits.push({ key: ['run', run, fact], value: is === '' ? null : is })
  }
  const title = draft.title.trim()
  set('title', before.title, title === run ? '' : title)
  set('colour', before.colour, draft.colour)
  set('dash', before.dash ?? 'solid', draft.dash)
  set('note', before.note, draft.note.trim())
  const tags = new Set(
    draft.tags
      .split(',')
      .map((tag) => tag.trim())
      .filter((tag) => tag !== ''),
  )
  for (const tag of before.tags) if (!tags.has(tag)) edits.push({ key: ['run', run, 'tag', tag], value: null })
  for (const tag of tags) if (!before.tags.includes(tag)) edits.push({ key: ['run', run, 'tag', tag], value: true })
  return edits.map((edit) => (edit.key[2] === 'dash' && edit.value === 'solid' ? { ...edit, value: null } : edit))
}
