// Which blobs each series has: one request for everything on the screen, kept current through change numbers.
import { SvelteMap } from 'svelte/reactivity'
import type { BlobsSeries } from '../api/blobs'
import type { Client } from '../api/client'
import type { Board } from './board.svelte'
import { Repeat } from './repeat'

export interface SeriesName {
  readonly run: string
  readonly tag: string
  readonly dashboard: string
}

/** The blobs of one series, in the order in which they count. */
export interface BlobList {
  /** The server that the addresses belong to. */
  readonly instance: string
  readonly generation: number
  /** The plugin that logged it. */
  readonly plugin: string
  readonly steps: Float64Array<ArrayBuffer>
  readonly wallTimes: Float64Array<ArrayBuffer>
  /** The numbers that make up the addresses, see `addressAt`. */
  readonly places: readonly Float64Array<ArrayBuffer>[]
}

const REST_MILLIS = 500
const AT_ONCE = 5_000
// Lists that are on no screen are dropped beyond this.
const MOST_KEPT = 2_000

export class Blobs {
  readonly #client: Client
  readonly #refresh: Repeat
  /** Null for a series that does not exist. */
  readonly #lists = new SvelteMap<string, BlobList | null>()
  /** How many screens show a series. */
  readonly #watched = new Map<string, { readonly name: SeriesName; watchers: number }>()
  /** Up to which change each list is current. */
  readonly #asOf = new Map<string, number>()
  #change = 0
  #epoch = 0
  /** The server of the last answer. */
  #instance: string | null = null
  /** Why the last request failed. */
  trouble = $state<string | null>(null)

  constructor(client: Client, board: Board) {
    this.#client = client
    this.#refresh = new Repeat(
      () => this.#request(),
      REST_MILLIS,
      (error) => {
        this.trouble = error === null ? null : error instanceof Error ? error.message : 'the request failed'
        board.report('blobs', error)
      },
    )
    board.listen({
      changed: ({ change }) => {
        this.#change = Math.max(this.#change, change)
        if (this.#watched.size > 0) this.#refresh.want()
      },
      reset: () => {
        this.#epoch++
        this.#change = 0
        this.#asOf.clear()
        if (this.#watched.size > 0) this.#refresh.want()
      },
    })
  }

  /** Undefined until it is known, null if the run has no such series. */
  of(name: SeriesName): BlobList | null | undefined {
    return this.#lists.get(keyOf(name))
  }

  /** Keeps these current until the returned function is called. */
  watch(names: readonly SeriesName[]): () => void {
    for (const name of names) {
      const key = keyOf(name)
      const known = this.#watched.get(key)
      if (known === undefined) this.#watched.set(key, { name, watchers: 1 })
      else known.watchers++
    }
    if (names.some((name) => this.#isStale(keyOf(name)))) this.#refresh.want()
    return () => {
      for (const name of names) {
        const known = this.#watched.get(keyOf(name))
        if (known !== undefined && --known.watchers === 0) this.#watched.delete(keyOf(name))
      }
      this.#drop()
    }
  }

  #isStale(key: string): boolean {
    return (this.#asOf.get(key) ?? -1) < this.#change
  }

  async #request(): Promise<void> {
    const stale = [...this.#watched].filter(([key]) => this.#isStale(key)).slice(0, AT_ONCE)
    if (stale.length === 0) return
    const epoch = this.#epoch
    const series = stale.map(([key, { name }]) => {
      const list = this.#asOf.has(key) ? this.#lists.get(key) : undefined
      // Generations and addresses of another server mean nothing to this one.
      const known =
        list && list.instance === this.#instance
          ? { known: { generation: list.generation, count: list.steps.length } }
          : {}
      return { run: name.run, tag: name.tag, dashboard: name.dashboard, ...known }
    })
    const changeBefore = this.#change
    const instance = this.#instance === null ? {} : { instance: this.#instance }
    const answer = await this.#client.blobs({ series, ...instance })
    if (epoch !== this.#epoch) return
    this.#instance = answer.instance
    const partial = new Set<number>()
    const dropped = new Set<number>()
    for (const one of answer.series) {
      const [key = ''] = stale[one.series] ?? []
      const before = this.#lists.get(key) ?? null
      // The list was dropped while its later blobs were requested: it is requested as a whole when it is watched again.
      if ((before?.steps.length ?? 0) < one.first) {
        dropped.add(one.series)
        continue
      }
      const list = joined(before, one, answer.instance)
      this.#lists.set(key, list)
      if (list.steps.length < one.total) partial.add(one.series)
    }
    for (const at of answer.missing) {
      const [key = ''] = stale[at] ?? []
      this.#lists.set(key, null)
    }
    stale.forEach(([key], at) => {
      if (dropped.has(at)) this.#asOf.delete(key)
      else this.#asOf.set(key, partial.has(at) ? -1 : Math.max(answer.change, changeBefore))
    })
    if ([...this.#watched.keys()].some((key) => this.#isStale(key))) this.#refresh.want()
  }

  #drop(): void {
    for (const key of this.#lists.keys()) {
      if (this.#lists.size <= MOST_KEPT) return
      if (this.#watched.has(key)) continue
      this.#lists.delete(key)
      this.#asOf.delete(key)
    }
  }
}

function keyOf({ run, tag, dashboard }: SeriesName): string {
  return `${dashboard}\0${run}\0${tag}`
}

/** What was known before, with what is new after it. */
function joined(
  before: BlobList | null,
  { first, generation, plugin, ...after }: BlobsSeries,
  instance: string,
): BlobList {
  const kept = first === 0 ? null : before
  return {
    instance,
    generation,
    plugin,
    steps: appended(kept?.steps, first, after.steps),
    wallTimes: appended(kept?.wallTimes, first, after.wallTimes),
    places: after.places.map((column, at) => appended(kept?.places[at], first, column)),
  }
}

/** The first `count` numbers of a column, then more of them. */
function appended(
  column: Float64Array<ArrayBuffer> | undefined,
  count: number,
  more: Float64Array<ArrayBuffer>,
): Float64Array<ArrayBuffer> {
  if (column === undefined) return more
  const all = new Float64Array(count + more.length)
  all.set(column.subarray(0, count))
  all.set(more, count)
  return all
}
