// Last, min and max values of the tags that something on the page reads: columns, filters, colours, status.
import type { Client } from '../api/client'
import type { SummaryAnswer, SummaryRow } from '../api/summary'
import type { Board } from './board.svelte'
import { Repeat } from './repeat'

/** Of one series. Values and steps are NaN where there is no such point. */
export type Summary = Omit<SummaryRow, 'run' | 'tag'>

const NONE: ReadonlyMap<string, Summary> = new Map()
const REST_MILLIS = 500
const MOST_TAGS = 1_000
// A row takes some hundred bytes.
const MOST_ROWS = 200_000

export class Summaries {
  #tags = $state.raw<ReadonlyMap<string, ReadonlyMap<string, Summary>>>(new Map())
  readonly #client: Client
  readonly #board: Board
  readonly #refresh: Repeat
  /** How many callers request each tag. */
  readonly #wanted = new Map<string, number>()
  /** Up to which change each tag is known. */
  readonly #asOf = new Map<string, number>()
  #instance: string | null = null
  #change = -1
  #epoch = 0

  constructor(client: Client, board: Board) {
    this.#client = client
    this.#board = board
    this.#refresh = new Repeat(
      () => this.#ask(),
      REST_MILLIS,
      (error) => {
        board.report('summaries', error)
      },
    )
    board.listen({
      changed: ({ change, removed }) => {
        this.#change = Math.max(this.#change, change)
        if (removed.length > 0) this.#remove(removed)
        if (this.#wanted.size > 0) this.#refresh.want()
      },
      reset: () => {
        this.#epoch++
        this.#instance = null
        this.#change = -1
        this.#asOf.clear()
        if (this.#wanted.size > 0) this.#refresh.want()
      },
    })
  }

  /** Keeps these up to date until the returned function is called. */
  want(tags: readonly string[]): () => void {
    for (const tag of tags) this.#wanted.set(tag, (this.#wanted.get(tag) ?? 0) + 1)
    if (tags.length > 0) this.#refresh.want()
    let isWanted = true
    return () => {
      if (!isWanted) return
      isWanted = false
      for (const tag of tags) {
        const others = (this.#wanted.get(tag) ?? 1) - 1
        if (others > 0) this.#wanted.set(tag, others)
        else this.#wanted.delete(tag)
      }
    }
  }

  /** Whether there was an answer about this tag. */
  isKnown(tag: string): boolean {
    return this.#tags.has(tag)
  }

  /** By run; empty until it is known. */
  of(tag: string): ReadonlyMap<string, Summary> {
    return this.#tags.get(tag) ?? NONE
  }

  #remove(runs: readonly string[]): void {
    const isKnown = (rows: ReadonlyMap<string, Summary>): boolean => runs.some((run) => rows.has(run))
    if (![...this.#tags.values()].some(isKnown)) return
    const left = (rows: ReadonlyMap<string, Summary>): ReadonlyMap<string, Summary> => {
      const kept = new Map(rows)
      for (const run of runs) kept.delete(run)
      return kept
    }
    this.#tags = new Map([...this.#tags].map(([tag, rows]) => [tag, isKnown(rows) ? left(rows) : rows]))
  }

  async #ask(): Promise<void> {
    const wanted = [...this.#wanted.keys()]
    for (const tags of this.#parts(wanted.filter((tag) => !this.#asOf.has(tag)))) await this.#askFor(tags, null)
    const stale = wanted.filter((tag) => (this.#asOf.get(tag) ?? Infinity) < this.#change)
    for (const tags of this.#parts(stale)) {
      await this.#askFor(tags, Math.min(...tags.map((tag) => this.#asOf.get(tag) ?? 0)))
    }
  }

  /** So many at a time as make an answer of a reasonable size. */
  #parts(tags: readonly string[]): string[][] {
    const most = Math.max(1, Math.min(MOST_TAGS, Math.floor(MOST_ROWS / (this.#board.status?.runs ?? MOST_TAGS))))
    return Array.from({ length: Math.ceil(tags.length / most) }, (_, at) => tags.slice(at * most, (at + 1) * most))
  }

  async #askFor(tags: readonly string[], since: number | null): Promise<void> {
    const epoch = this.#epoch
    const known = since === null || this.#instance === null ? {} : { instance: this.#instance, since }
    const answer = await this.#client.summary({ tags, runs: null, ...known })
    if (epoch !== this.#epoch) return
    const isSameServer = this.#instance === null || this.#instance === answer.instance
    this.#instance = answer.instance
    if (!isSameServer) this.#asOf.clear()
    for (const tag of tags) this.#asOf.set(tag, answer.change)
    this.#take(tags, answer, since === null || !isSameServer)
  }

  /** Replaces the tables of the tags that have new rows, and assigns once. */
  #take(tags: readonly string[], { rows }: SummaryAnswer, isAll: boolean): void {
    if (rows.length === 0 && !isAll) return
    const found = new Map<string, Map<string, Summary>>()
    for (const tag of tags) if (isAll) found.set(tag, new Map())
    for (const { run, tag, ...summary } of rows) {
      let table = found.get(tag)
      if (table === undefined) found.set(tag, (table = new Map(this.#tags.get(tag))))
      table.set(run, summary)
    }
    this.#tags = new Map([...this.#tags, ...found])
  }
}
