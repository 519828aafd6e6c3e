// What the page knows about the board as a whole; receives the stream of events once and notifies everything that follows it.
import { RequestError, type Client } from '../api/client'
import { LiveStream, type Changed, type Connection, type LiveEvent } from '../api/live'
import type { Status } from '../api/types'
import { Repeat } from './repeat'

/** A listener. Numbers of changes can be compared until `reset`. */
export interface BoardListener {
  changed?(changed: Changed): void
  /** Another server: its numbers mean something else. What is shown stays until new data come. */
  reset?(): void
  /** What people added to the runs is another revision. */
  curation?(revision: string): void
}

const REST_MILLIS = 500
// What is damaged, or cannot be reached, is not urgent.
const CHANGED_MILLIS = 5_000
// The creation of a directory is not a change of the store.
const WAITING_MILLIS = 3_000

export class Board {
  /** The last response about the whole board; null before the first. */
  status = $state.raw<Status | null>(null)
  connection = $state<Connection>('connecting')
  /** Whether the user paused updates. */
  isPaused = $state(false)
  /** When the server last responded, in milliseconds since the epoch. */
  receivedAt = $state(0)
  /** Since when the server has not responded, in milliseconds since the epoch; null while it does. */
  lostAt = $state<number | null>(null)
  #troubles = $state.raw<ReadonlyMap<string, string>>(new Map())
  /** Why a request failed, unless there was no response at all. */
  readonly trouble = $derived<string | null>(this.#troubles.values().next().value ?? null)

  readonly #listeners = new Set<BoardListener>()
  readonly #stream: LiveStream
  readonly #refresh: Repeat
  #instance: string | null = null
  #isAway = true

  constructor(client: Client) {
    this.#refresh = new Repeat(
      async () => {
        this.#know(await client.status())
      },
      REST_MILLIS,
      (error) => {
        this.report('status', error)
      },
    )
    this.#stream = new LiveStream(client.liveUrl, client.ask, {
      event: (event) => {
        this.#receive(event)
      },
      connection: (connection) => {
        if (connection !== 'lost') this.lostAt = null
        else this.lostAt ??= Date.now()
        this.connection = connection
      },
      poll: async () => {
        const status = await client.status()
        this.#know(status)
        return status.change
      },
    })
  }

  /** Calls `listener` until the returned function is called. */
  listen(listener: BoardListener): () => void {
    this.#listeners.add(listener)
    return () => {
      this.#listeners.delete(listener)
    }
  }

  /** Asks and follows, until `pause`: for a page that is seen. */
  resume(): void {
    this.#isAway = false
    this.#follow()
    // Where a proxy buffers the stream, there would be nothing to see for a while.
    if (this.status === null) this.#refresh.want()
  }

  /** Stops requests: for a page in the background. */
  pause(): void {
    this.#isAway = true
    this.#follow()
    this.#refresh.cancel()
  }

  /** By the user: nothing new is shown until updates are resumed, and then everything that arrived in the meantime. */
  setPaused(isPaused: boolean): void {
    this.isPaused = isPaused
    this.#follow()
  }

  /** Stores the sentence that says why a request of `who` failed; null when it succeeded. */
  report(who: string, error: unknown): void {
    // Missing responses and required logins are reported by the connection.
    const isSaid = error === null || (error instanceof RequestError && (error.status === 0 || error.status === 401))
    if (isSaid && !this.#troubles.has(who)) return
    const troubles = new Map(this.#troubles)
    if (isSaid) troubles.delete(who)
    else troubles.set(who, error instanceof Error ? error.message : 'an unexpected error occurred in the page')
    this.#troubles = troubles
  }

  #follow(): void {
    if (this.#isAway || this.isPaused) this.#stream.pause()
    else this.#stream.resume()
  }

  #receive(event: LiveEvent): void {
    this.receivedAt = Date.now()
    switch (event.kind) {
      case 'progress':
        this.#progress(event.progress)
        break
      case 'hello':
        this.#checkInstance(event.instance)
        // What was requested before may be older than this; its owner compares the numbers.
        this.#notify({ change: event.change, runs: [], tags: [], removed: [], all: true })
        if (this.status?.instance !== event.instance || this.status.change !== event.change) this.#refresh.want()
        break
      case 'reset':
        this.#checkInstance(event.instance)
        break
      case 'curation':
        for (const listener of this.#listeners) listener.curation?.(event.revision)
        break
      case 'change':
        this.#notify(event)
        this.#refresh.want(this.status?.runs === 0 ? 0 : CHANGED_MILLIS)
        break
    }
  }

  #progress(progress: Status['progress']): void {
    if (this.status === null) return
    // What was lost is known when everything is read.
    if (this.status.progress.loading && !progress.loading) this.#refresh.want()
    this.status = { ...this.status, progress }
  }

  #notify(changed: Changed): void {
    for (const listener of this.#listeners) listener.changed?.(changed)
  }

  #checkInstance(instance: string): void {
    const isOther = this.#instance !== null && this.#instance !== instance
    this.#instance = instance
    if (!isOther) return
    for (const listener of this.#listeners) listener.reset?.()
    this.#refresh.want()
  }

  #know(status: Status): void {
    this.#checkInstance(status.instance)
    this.status = status
    this.receivedAt = Date.now()
    if (status.runs === 0 && !this.#isAway) this.#refresh.want(WAITING_MILLIS)
  }
}
