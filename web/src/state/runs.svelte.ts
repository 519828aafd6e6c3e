// Every run of the board, and which of them belong together.
import type { Client } from '../api/client'
import type { Changed } from '../api/live'
import type { Run } from '../api/types'
import { natural } from '../lib/natural'
import type { Board } from './board.svelte'
import type { Curation } from './curation.svelte'
import { Repeat } from './repeat'

/** A run that `add_scalars` or `add_hparams` made beside the run it belongs to. */
export interface Part {
  readonly run: Run
  readonly kind: 'scalars' | 'hparams'
  readonly label: string
  /** The only tag it has; null for those of `add_hparams`. */
  readonly tag: string | null
}

/** A line of the run list: a run with its parts. */
export interface Entry {
  readonly name: string
  readonly run: Run
  readonly parts: readonly Part[]
}

const PAGE = 5_000
const CHANGED_PAGE = 500
const REST_MILLIS = 300
// That a run has more points can wait; that there is a new one cannot.
const GROWN_MILLIS = 2_000

export class Runs {
  /** In natural order (`a2` before `a10`). */
  all = $state.raw<readonly Run[]>([])
  /** Not yet all known. */
  isLoading = $state(true)
  readonly #curation: Curation
  readonly #client: Client
  readonly #refresh: Repeat
  /** By name, the same as `all`. */
  #known = new Map<string, Run>()
  /** Everything up to this change is known; null when everything must be asked for. */
  #change: number | null = null
  /** The last change that was reported. */
  #reported = 0
  /** Counts the servers that were met: what one answered is of no use to the next. */
  #epoch = 0
  #entriesBefore = new Map<string, Entry>()
  #startedBefore: readonly string[] = []

  constructor(client: Client, board: Board, curation: Curation) {
    this.#client = client
    this.#curation = curation
    this.#refresh = new Repeat(
      () => this.#ask(),
      REST_MILLIS,
      (error) => {
        board.report('runs', error)
      },
    )
    board.listen({
      changed: (changed) => {
        this.#receive(changed)
      },
      reset: () => {
        this.#epoch++
        this.#change = null
        this.#reported = 0
        this.#refresh.want()
      },
    })
  }

  /** Those that belong to no other run, trashed ones among them. */
  readonly #folded = $derived.by<readonly Entry[]>(() => {
    const entries = fold(this.all, this.#entriesBefore)
    this.#entriesBefore = new Map(entries.map((entry) => [entry.name, entry]))
    return entries
  })

  /** Those that belong to no other run; trashed ones are left out. */
  readonly entries = $derived.by<readonly Entry[]>(() => {
    const { trashed } = this.#curation
    return trashed.size === 0 ? this.#folded : this.#folded.filter((entry) => !trashed.has(entry.name))
  })

  /** What is in the trash and can be restored. */
  readonly trashed = $derived.by<readonly Entry[]>(() => {
    const { trashed } = this.#curation
    return trashed.size === 0 ? [] : this.#folded.filter((entry) => trashed.has(entry.name))
  })

  /** Names of all entries, trashed ones among them, in the order in which they started; those that did not start yet come last. */
  readonly started = $derived.by<readonly string[]>(() => {
    const startOf = (entry: Entry): number => entry.run.start_time ?? Infinity
    // Those that started at the same time stay in natural order.
    const names = [...this.#folded].sort((a, b) => ascending(startOf(a), startOf(b))).map(({ name }) => name)
    const before = this.#startedBefore
    // The same array while it holds the same names, so that runs that only grow redraw nothing.
    const isSame = names.length === before.length && names.every((name, at) => name === before[at])
    return isSame ? before : (this.#startedBefore = names)
  })

  readonly byName = $derived<ReadonlyMap<string, Entry>>(new Map(this.entries.map((entry) => [entry.name, entry])))

  /** The first request. */
  load(): void {
    this.#refresh.want()
  }

  #receive({ change, runs, tags, removed, all }: Changed): void {
    if (removed.length > 0) this.#remove(removed)
    if (this.#change !== null && change <= this.#change) return
    this.#reported = change
    const isNew = all || tags.length > 0 || runs.some((run) => !this.#known.has(run))
    // An answer that is on its way may still have what was removed.
    if (isNew || runs.length > 0 || removed.length > 0) this.#refresh.want(isNew ? 0 : GROWN_MILLIS)
  }

  #remove(names: readonly string[]): void {
    const before = this.#known.size
    for (const name of names) this.#known.delete(name)
    if (this.#known.size < before) this.all = this.all.filter((run) => this.#known.has(run.name))
  }

  async #ask(): Promise<void> {
    // What was reported while the first request was in flight may be in its response.
    if (this.#change !== null && this.#change >= this.#reported) return
    const epoch = this.#epoch
    const found = (this.#change === null ? null : await this.#askChanged(this.#change)) ?? (await this.#askAll())
    if (epoch !== this.#epoch) return
    this.#change = found.change
    this.#take(found.runs, found.isAll)
    this.isLoading = false
  }

  async #askAll(): Promise<Found> {
    const runs: Run[] = []
    let page = await this.#client.runs({ limit: PAGE })
    const { change } = page
    runs.push(...page.runs)
    while (page.next !== null) {
      page = await this.#client.runs({ limit: PAGE, after: page.next })
      runs.push(...page.runs)
    }
    return { change, runs, isAll: true }
  }

  /** What changed since; null if runs were removed without notice, and everything must be checked. */
  async #askChanged(since: number): Promise<Found | null> {
    const runs: Run[] = []
    let page = await this.#client.runs({ limit: CHANGED_PAGE, sort: 'change' })
    const { change, total } = page
    for (;;) {
      const changed = page.runs.filter((run) => run.change > since)
      runs.push(...changed)
      if (changed.length < page.runs.length || page.next === null) break
      page = await this.#client.runs({ limit: PAGE, sort: 'change', after: page.next })
    }
    const added = runs.filter((run) => !this.#known.has(run.name)).length
    return this.#known.size + added === total ? { change, runs, isAll: false } : null
  }

  /** Puts in what is new, and assigns once. Runs that did not change stay the same objects. */
  #take(runs: readonly Run[], isAll: boolean): void {
    const added: Run[] = []
    const replaced = new Map<string, Run>()
    for (const run of runs) {
      const known = this.#known.get(run.name)
      if (known === undefined) added.push(run)
      else if (!isSame(known, run)) replaced.set(run.name, run)
    }
    const names = isAll ? new Set(runs.map((run) => run.name)) : null
    const isAnyGone = names !== null && this.#known.size + added.length !== names.size
    if (added.length === 0 && replaced.size === 0 && !isAnyGone) return
    const kept = isAnyGone ? this.all.filter((run) => names.has(run.name)) : this.all
    const changed = replaced.size === 0 ? kept : kept.map((run) => replaced.get(run.name) ?? run)
    this.all = merged(
      changed,
      added.sort((a, b) => natural(a.name, b.name)),
    )
    if (isAnyGone) this.#known = new Map(this.all.map((run) => [run.name, run]))
    else for (const run of [...added, ...replaced.values()]) this.#known.set(run.name, run)
  }
}

interface Found {
  readonly change: number
  readonly runs: readonly Run[]
  readonly isAll: boolean
}

/** Another server counts changes from the start, so the number alone is not enough. */
function isSame(a: Run, b: Run): boolean {
  return a.change === b.change && a.points === b.points && a.end_time === b.end_time && a.tags_change === b.tags_change
}

/** Infinities are equal. */
function ascending(a: number, b: number): number {
  return a === b ? 0 : a - b
}

/** Two lists in natural order as one. */
function merged(left: readonly Run[], right: readonly Run[]): readonly Run[] {
  if (right.length === 0) return left
  const all: Run[] = []
  let at = 0
  for (const run of right) {
    for (let next = left[at]; next !== undefined && natural(next.name, run.name) <= 0; next = left[at]) {
      all.push(next)
      at++
    }
    all.push(run)
  }
  for (; at < left.length; at++) all.push(left[at] as Run)
  return all
}

/** Runs with their parts; entries of which nothing changed stay the same objects. */
function fold(runs: readonly Run[], before: ReadonlyMap<string, Entry>): readonly Entry[] {
  const names = new Set(runs.map((run) => run.name))
  const parts = new Map<string, Part[]>()
  for (const run of runs) {
    if (run.folded === null || !names.has(run.folded.into)) continue
    const { into, kind, label, tag } = run.folded
    const part = { run, kind, label, tag }
    const beside = parts.get(into)
    if (beside === undefined) parts.set(into, [part])
    else beside.push(part)
  }
  return runs.flatMap((run) => {
    if (run.folded !== null && names.has(run.folded.into)) return []
    const entry = { name: run.name, run, parts: parts.get(run.name) ?? [] }
    const old = before.get(run.name)
    return old !== undefined && isSameEntry(old, entry) ? [old] : [entry]
  })
}

function isSameEntry(a: Entry, b: Entry): boolean {
  return (
    a.run === b.run && a.parts.length === b.parts.length && a.parts.every((part, at) => part.run === b.parts[at]?.run)
  )
}
