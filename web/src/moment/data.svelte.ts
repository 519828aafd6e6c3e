// The answer for the moment that is shown: requested again when the step or the run changes, or when the run grows.
import type { Client } from '../api/client'
import { momentAt, type MomentAnswer, type MomentQuery } from '../api/moment'
import type { Board } from '../state/board.svelte'

export interface Needs {
  readonly client: Client
  readonly board: Pick<Board, 'listen'>
}

// A run that is written a hundred times a second is read again once a second.
const REST_MILLIS = 1_000

export class MomentData {
  readonly #page: Needs
  /** The last answer; null before the first, and while that of another run is requested. */
  answer = $state.raw<MomentAnswer | null>(null)
  /** Why there is none, or why it is not current. */
  trouble = $state<string | null>(null)
  #query: MomentQuery | null = null
  #isAsking = false
  #isStale = false
  #isStopped = false
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(page: Needs) {
    this.#page = page
  }

  /** Keeps the answer current until the returned function is called. */
  follow(): () => void {
    this.#isStopped = false
    const stop = this.#page.board.listen({
      changed: ({ runs, removed, all }) => {
        const query = this.#query
        if (query === null) return
        const own = [query.run, ...query.parts]
        if (all || own.some((run) => runs.includes(run) || removed.includes(run))) this.#soon()
      },
      reset: () => {
        this.#soon()
      },
    })
    return () => {
      this.#isStopped = true
      clearTimeout(this.#timer)
      this.#timer = undefined
      stop()
    }
  }

  /** Requests something else; the old answer stays until the new one is there, unless it is of another run. */
  ask(query: MomentQuery): void {
    if (this.#query !== null && this.#query.run !== query.run) {
      this.answer = null
      this.trouble = null
    }
    this.#query = query
    void this.#request()
  }

  #soon(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined
      void this.#request()
    }, REST_MILLIS)
  }

  /** One at a time: keys that repeat would otherwise abort every request before its answer. */
  async #request(): Promise<void> {
    this.#isStale = true
    if (this.#isAsking) return
    this.#isAsking = true
    while (this.#isStale && !this.#isStopped && this.#query !== null) {
      this.#isStale = false
      const query = this.#query
      try {
        const answer = await momentAt(this.#page.client, query)
        if (this.#query.run !== query.run) continue
        this.answer = answer
        this.trouble = null
      } catch (error) {
        this.trouble = error instanceof Error ? error.message : 'the page failed'
      }
    }
    this.#isAsking = false
  }
}
