// What people added to the runs: stored beside the logs, shared by everyone who opens them.
import type { Client } from '../api/client'
import type { CurationAnswer, Edit, Note, SavedView } from '../api/curation'
import type { Dash } from '../lib/traces'
import type { Board } from './board.svelte'
import { cardId } from './card_ids'
import { Repeat } from './repeat'

export type { Edit, SavedView } from '../api/curation'
export type ChartNote = Note

export interface RunCuration {
  readonly title?: string
  readonly note?: string
  /** `#rrggbb` or `run-7`. */
  readonly colour?: string
  readonly dash?: Dash
  readonly hidden?: boolean
  readonly pinned?: boolean
  readonly trashed?: boolean
  readonly tags: readonly string[]
}

/** An edit that can be undone. */
export interface Edited {
  /** Whether it was saved; `trouble` says why not, and the page shows it. */
  readonly isKept: boolean
  /** Undoes the edits. */
  undo(): Promise<void>
}

const NONE: RunCuration = { tags: [] }
const REST_MILLIS = 300
const EDITS_AT_ONCE = 2_000

export class Curation {
  runs = $state.raw<ReadonlyMap<string, RunCuration>>(new Map())
  trashed = $state.raw<ReadonlySet<string>>(new Set())
  notes = $state.raw<readonly ChartNote[]>([])
  views = $state.raw<readonly SavedView[]>([])
  /** Ids of the cards that are pinned for everyone, in the order in which they were. */
  pinnedCards = $state.raw<readonly string[]>([])
  better = $state.raw<ReadonlyMap<string, 'lower' | 'higher'>>(new Map())
  /** Where edits go if not beside the logs. */
  isReadOnly = $state(false)
  /** The directory that edits go to. */
  folder = $state<string | null>(null)
  trouble = $state<string | null>(null)
  readonly #client: Client
  readonly #refresh: Repeat
  /** As the server has them, and as they are shown. */
  #kept: Facts = new Map()
  #facts: Facts = new Map()
  #revision: string | null = null
  /** Edits that are being sent, and already shown. */
  #pending: readonly (readonly Edit[])[] = []
  #sending: Promise<unknown> = Promise.resolve()
  /** Counts the edits that were answered. */
  #sends = 0

  constructor(client: Client, board: Board) {
    this.#client = client
    this.#refresh = new Repeat(
      () => this.#ask(),
      REST_MILLIS,
      (error) => {
        board.report('curation', error)
      },
    )
    board.listen({
      curation: (revision) => {
        if (revision !== this.#revision) this.#refresh.want()
      },
      reset: () => {
        this.#refresh.want()
      },
    })
  }

  /** The first request. */
  load(): void {
    this.#refresh.want()
  }

  of(run: string): RunCuration {
    return this.runs.get(run) ?? NONE
  }

  /** Shows the edits at once, sends them, and takes them back if they are refused: `trouble` then says why. */
  async edit(edits: readonly Edit[]): Promise<Edited> {
    const opposite = edits.map(({ key }) => ({ key, value: this.#facts.get(JSON.stringify(key))?.value ?? null }))
    this.#pending = [...this.#pending, edits]
    this.#show()
    // In the order in which they were made.
    const sent = this.#sending.then(() => this.#send(edits))
    this.#sending = sent
    const isKept = await sent
    return {
      isKept,
      undo: async () => {
        if (isKept) await this.edit(opposite)
      },
    }
  }

  async #ask(): Promise<void> {
    const sends = this.#sends
    const answer = await this.#client.curation()
    // It may be from before an edit that was kept meanwhile, and would take it off the screen.
    if (sends === this.#sends) this.#take(answer)
    else this.#refresh.want()
  }

  async #send(edits: readonly Edit[]): Promise<boolean> {
    let answer: CurationAnswer | null = null
    let trouble: string | null = null
    try {
      for (let at = 0; at < edits.length; at += EDITS_AT_ONCE)
        answer = await this.#client.edit(edits.slice(at, at + EDITS_AT_ONCE))
    } catch (error) {
      trouble = error instanceof Error ? error.message : 'an unexpected error occurred in the page'
    }
    this.#sends++
    this.#pending = this.#pending.filter((other) => other !== edits)
    if (answer !== null) this.#take(answer)
    this.#show()
    if (trouble !== null) this.trouble = trouble
    return trouble === null
  }

  #take(answer: CurationAnswer): void {
    this.isReadOnly = answer.read_only
    this.folder = answer.folder
    this.trouble = answer.troubles[0] ?? null
    if (answer.revision === this.#revision && this.#pending.length === 0) return
    this.#revision = answer.revision
    this.#kept = factsOf(answer)
    this.#show()
  }

  #show(): void {
    const facts = new Map(this.#kept)
    for (const edit of this.#pending.flat()) put(facts, edit)
    this.#facts = facts
    Object.assign(this, sorted(facts))
  }
}

/** A key that is set, and if the server said so, by whom and when. */
type Fact = Edit & Partial<Pick<SavedView, 'editor' | 'time'>>

/** In the order in which they were set. */
type Facts = ReadonlyMap<string, Fact>

function put(facts: Map<string, Fact>, fact: Fact): void {
  const key = JSON.stringify(fact.key)
  if (fact.value === null || fact.value === false) facts.delete(key)
  else facts.set(key, fact)
}

function factsOf({ runs, cards, views, notes }: CurationAnswer): Facts {
  const facts = new Map<string, Fact>()
  const set = (value: unknown, ...key: string[]): void => {
    put(facts, { key, value })
  }
  for (const { name, tags, ...fields } of runs) {
    for (const [field, value] of Object.entries(fields)) set(value, 'run', name, field)
    for (const tag of tags) set(true, 'run', name, 'tag', tag)
  }
  for (const { dashboard, tag, pinned, better } of cards) {
    set(pinned, 'card', dashboard, tag, 'pinned')
    set(better, 'card', dashboard, tag, 'better')
  }
  for (const { id, editor, time, ...value } of views) put(facts, { key: ['view', id], value, editor, time })
  for (const { id, ...note } of notes) set(note, 'note', id)
  return facts
}

interface Shown {
  readonly runs: Map<string, RunCuration>
  readonly trashed: Set<string>
  readonly pinnedCards: string[]
  readonly better: Map<string, 'lower' | 'higher'>
  readonly views: SavedView[]
  readonly notes: ChartNote[]
}

/** The facts by what they are about. Values are as the server checked them, or as this page made them. */
function sorted(facts: Facts): Shown {
  const shown: Shown = { runs: new Map(), trashed: new Set(), pinnedCards: [], better: new Map(), views: [], notes: [] }
  for (const { key, value, editor = '', time = 0 } of facts.values()) {
    const [kind, name = '', field = '', last = ''] = key
    if (kind === 'run') {
      const run = shown.runs.get(name) ?? NONE
      shown.runs.set(name, field === 'tag' ? { ...run, tags: [...run.tags, last] } : { ...run, [field]: value })
      if (field === 'trashed') shown.trashed.add(name)
    } else if (kind === 'card') {
      if (last === 'pinned') shown.pinnedCards.push(cardId(name, field))
      else if (name === 'scalars') shown.better.set(field, value as 'lower' | 'higher')
    } else if (kind === 'view')
      shown.views.push({ ...(value as Pick<SavedView, 'name' | 'state'>), id: name, editor, time })
    else if (kind === 'note') shown.notes.push({ ...(value as Omit<ChartNote, 'id'>), id: name })
  }
  return shown
}
