// What people added to the runs, as the server keeps it: keys with a value each.
import { anything, flag, list, number, object, optional, text, word, type Parse } from './shape'

/** One key and its new value; null deletes it. */
export interface Edit {
  readonly key: readonly string[]
  readonly value: unknown
}

export interface CuratedRun {
  readonly name: string
  readonly title: string | null
  readonly note: string | null
  readonly colour: string | null
  readonly dash: string | null
  readonly hidden: boolean
  readonly pinned: boolean
  readonly trashed: boolean
  readonly tags: readonly string[]
}

export interface CuratedCard {
  readonly dashboard: string
  readonly tag: string
  readonly pinned: boolean
  readonly better: 'lower' | 'higher' | null
}

export interface SavedView {
  readonly id: string
  readonly name: string
  /** Only the page interprets it. */
  readonly state: unknown
  readonly editor: string
  /** Seconds since the epoch. */
  readonly time: number
}

export interface Note {
  readonly id: string
  readonly text: string
  readonly tag: string | null
  readonly run: string | null
  readonly step: number | null
}

export interface CurationAnswer {
  readonly revision: string
  readonly editor: string
  readonly folder: string | null
  readonly read_only: boolean
  readonly troubles: readonly string[]
  readonly runs: readonly CuratedRun[]
  readonly cards: readonly CuratedCard[]
  readonly views: readonly SavedView[]
  readonly notes: readonly Note[]
}

/** Fields that are not set are left out or null. */
function unset<T, O>(parse: Parse<T>, otherwise: O): Parse<T | O> {
  return (value, where) => (value === undefined || value === null ? otherwise : parse(value, where))
}

export const parseCuration: Parse<CurationAnswer> = object({
  revision: text,
  editor: text,
  folder: unset(text, null),
  read_only: flag,
  troubles: list(text),
  runs: list(
    object<CuratedRun>({
      name: text,
      title: unset(text, null),
      note: unset(text, null),
      colour: unset(text, null),
      dash: unset(text, null),
      hidden: unset(flag, false),
      pinned: unset(flag, false),
      trashed: unset(flag, false),
      tags: optional(list(text), []),
    }),
  ),
  cards: list(
    object<CuratedCard>({
      dashboard: text,
      tag: text,
      pinned: unset(flag, false),
      better: unset(word('lower', 'higher'), null),
    }),
  ),
  views: list(object<SavedView>({ id: text, name: text, state: anything, editor: text, time: number })),
  notes: list(
    object<Note>({ id: text, text, tag: unset(text, null), run: unset(text, null), step: unset(number, null) }),
  ),
})
