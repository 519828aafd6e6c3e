// Keeps entries of a cache up to date with few requests: in batches, the visible ones first, again when a run changed or the server was restarted.
import { RequestError } from '../api/client'
import type { Changed } from '../api/live'
import type { Board } from './board.svelte'
import { Repeat } from './repeat'

/**
 * How new the answer for something is.
 *
 *               answer                     one of its runs changed
 *   requested ──────────▶ current ──────────────────────────────────▶ stale
 *     ▲  │ ▲                 ▲                                          │
 *     │  │ │                 └──────────── answer with what is new ─────┘
 *     │  │ └── another server was met, from every state: the last answer stays shown
 *     │  ▼ refusal (the request is wrong)
 *     └─ refused: again when the tags of its runs change
 *
 * requested: `epoch` is not that of the server; refused: `refusal` is set; stale: a change of its runs is newer than `asOf`.
 */
export interface Fetched {
  /** The runs whose changes make it stale. */
  readonly runs: readonly string[]
  /** Up to which change it is known; -1 before the first answer. */
  asOf: number
  /** Of which server that is; -1 before the first answer. */
  epoch: number
  /** It does not exist on the server: only other tags may change that. */
  isMissing: boolean
  /** Why it failed. */
  refusal: string | null
}

/** One request: entries by the part of it that asks for them. */
export type Batch<Part, Entry> = ReadonlyMap<Part, readonly Entry[]>

/** What is fetched, and how. */
export interface Source<Part, Entry extends Fetched, Answer> {
  /** For messages: `lines`. */
  readonly subject: string
  /** All that is requested: the entries of each card. */
  requested(): readonly (readonly Entry[])[]
  /** What of it is on the screen, the most urgent first. */
  visible(): readonly Entry[]
  /** As many of the first as one request takes. */
  firstBatch(entries: readonly Entry[]): Batch<Part, Entry>
  /** With `instance`, only for what is new since the answers that are there. */
  request(batch: Batch<Part, Entry>, instance: string | null, signal?: AbortSignal): Promise<Answer>
  /** Stores an answer of the server number `epoch`. */
  accept(batch: Batch<Part, Entry>, answer: Answer, epoch: number): void
  /** A part was refused, and its entries say why. */
  refused(part: Part): void
  /** Something has changed. */
  changed(): void
}

const REST_MILLIS = 120
// An answer that is not waited for any more is still shown if it comes soon: a slider that is dragged then moves the lines.
const SOON_MILLIS = 400

export class Fetcher<Part, Entry extends Fetched, Answer extends { readonly instance: string }> {
  readonly #source: Source<Part, Entry, Answer>
  readonly #requests: Repeat
  readonly #updates: Repeat
  #instance: string | null = null
  /** Counts the servers that were met. */
  #epoch = 0
  /** The last change of each run, of its tags, and of all that were not named. */
  readonly #changes = new Map<string, number>()
  readonly #tagChanges = new Map<string, number>()
  #allChange = -1
  #pending: { readonly entries: ReadonlySet<Entry>; readonly begun: number; readonly stop: AbortController } | null =
    null
  #trouble: string | null = null

  constructor(board: Board, source: Source<Part, Entry, Answer>) {
    this.#source = source
    this.#requests = new Repeat(
      () => this.#fetchRequested(),
      0,
      (error) => {
        board.report(source.subject, error)
        this.#trouble = error instanceof Error ? error.message : null
        source.changed()
      },
      0,
    )
    this.#updates = new Repeat(
      () => this.#fetchStale(),
      REST_MILLIS,
      (error) => {
        board.report(`new points of ${source.subject}`, error)
      },
    )
    board.listen({
      changed: (changed) => {
        this.#note(changed)
      },
      reset: () => {
        this.#checkInstance(null)
      },
    })
  }

  /** Why the last request failed; null if it did not. */
  get trouble(): string | null {
    return this.#trouble
  }

  /** Other entries are requested or visible than before. */
  request(): void {
    if (this.#pending !== null && Date.now() - this.#pending.begun > SOON_MILLIS) {
      const { entries, stop } = this.#pending
      if (!this.#source.visible().some((entry) => entries.has(entry))) stop.abort()
    }
    this.#schedule()
  }

  #schedule(): void {
    this.#requests.want()
    this.#updates.want()
  }

  #note({ change, runs, tags, removed, all }: Changed): void {
    for (const run of [...runs, ...removed]) this.#changes.set(run, change)
    for (const run of tags) this.#tagChanges.set(run, change)
    if (all) this.#allChange = change
    this.#retryRefused(new Set([...tags, ...removed]), all)
    this.#source.changed()
    this.#schedule()
  }

  /** Other tags may make a request right that was wrong; more points do not. */
  #retryRefused(runs: ReadonlySet<string>, all: boolean): void {
    for (const entries of this.#source.requested()) {
      const refused = entries.filter((entry) => entry.refusal !== null)
      const isAffected = all || refused.some((entry) => entry.runs.some((run) => runs.has(run)))
      if (isAffected) for (const entry of refused) entry.epoch = -1
    }
  }

  /** What another server answered stays on the screen, and is requested again. */
  #checkInstance(instance: string | null): void {
    this.#instance = instance
    this.#epoch++
    this.#changes.clear()
    this.#tagChanges.clear()
    this.#allChange = -1
    this.#requests.want()
  }

  #isStale(entry: Entry): boolean {
    if (entry.epoch !== this.#epoch || entry.refusal !== null) return false
    if (entry.asOf < this.#allChange) return true
    const changes = entry.isMissing ? this.#tagChanges : this.#changes
    return entry.runs.some((run) => entry.asOf < (changes.get(run) ?? -1))
  }

  async #fetchRequested(): Promise<void> {
    for (;;) {
      const requested = this.#source.visible().filter((entry) => entry.epoch !== this.#epoch)
      const batch = this.#source.firstBatch(requested)
      if (batch.size === 0) break
      const stop = new AbortController()
      this.#pending = { entries: new Set([...batch.values()].flat()), begun: Date.now(), stop }
      try {
        await this.#fetch(batch, null, stop.signal)
      } catch (error) {
        if (!stop.signal.aborted) throw error
      } finally {
        this.#pending = null
      }
    }
  }

  async #fetchStale(): Promise<void> {
    for (;;) {
      const batch = this.#source.firstBatch(this.#source.visible().filter((entry) => this.#isStale(entry)))
      if (batch.size === 0) break
      await this.#fetch(batch, this.#instance)
    }
  }

  /** If the request is refused, half by half, so that one part that is wrong does not stop the others. */
  async #fetch(batch: Batch<Part, Entry>, instance: string | null, signal?: AbortSignal): Promise<void> {
    const epoch = this.#epoch
    try {
      const answer = await this.#source.request(batch, instance, signal)
      // An answer of the server before this one says nothing of now.
      if (epoch !== this.#epoch) return
      if (this.#instance === null) this.#instance = answer.instance
      else if (this.#instance !== answer.instance) this.#checkInstance(answer.instance)
      this.#trouble = null
      this.#source.accept(batch, answer, this.#epoch)
      this.#source.changed()
    } catch (error) {
      if (!(error instanceof RequestError) || !isRefusal(error.status)) throw error
      const parts = [...batch]
      if (parts.length > 1) {
        const half = parts.length >> 1
        await this.#fetch(new Map(parts.slice(0, half)), instance, signal)
        await this.#fetch(new Map(parts.slice(half)), instance, signal)
      } else this.#refuse(batch, error.message)
    }
  }

  #refuse(batch: Batch<Part, Entry>, refusal: string): void {
    for (const [part, entries] of batch) {
      for (const entry of entries) Object.assign(entry, { epoch: this.#epoch, refusal })
      this.#source.refused(part)
    }
    this.#source.changed()
  }
}

/** The request is wrong, and will be wrong again as long as the tags are the same. */
function isRefusal(status: number): boolean {
  return status === 400 || status === 404 || status === 413 || status === 422
}
