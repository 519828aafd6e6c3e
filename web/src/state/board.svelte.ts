// What the page knows of the board, kept up to date by the stream of events.
import { RequestError, type Client } from '../api/client'
import { follow, type Connection, type Following, type LiveEvent } from '../api/live'
import type { RunPage, Status } from '../api/types'

const SHOWN_RUNS = 200
// Between two looks at the runs, however fast they change.
const REFRESH_MILLIS = 500
// Whether a directory has come to exist is no change of the store.
const WAITING_MILLIS = 3_000

export class Board {
  /** The last answer about the whole board; null before the first. */
  status = $state.raw<Status | null>(null)
  /** The first runs by name. */
  runs = $state.raw<RunPage | null>(null)
  connection = $state<Connection>('connecting')
  /** When the server was last heard of, in milliseconds since the epoch. */
  heardAt = $state(0)
  /** Why the last question was not answered, unless nothing came back at all. */
  trouble = $state<string | null>(null)

  readonly #client: Client
  readonly #following: Following
  #isRefreshing = false
  #isStale = false
  #isPaused = true
  #waiting: ReturnType<typeof setTimeout> | undefined

  constructor(client: Client) {
    this.#client = client
    this.#following = follow(client.liveUrl, client.ask, {
      event: (event) => { this.#hear(event) },
      connection: (connection) => { this.connection = connection },
      poll: async () => (await client.status()).change,
    })
  }

  /** Asks and follows, until `pause`. */
  resume(): void {
    this.#isPaused = false
    this.#following.resume()
    // Where a proxy holds the stream back, there would be nothing to see for a while.
    if (this.status === null) void this.#refresh()
  }

  /** Lets the server rest. */
  pause(): void {
    this.#isPaused = true
    this.#following.pause()
    clearTimeout(this.#waiting)
  }

  #hear(event: LiveEvent): void {
    this.heardAt = Date.now()
    if (event.kind === 'progress') {
      if (this.status === null) return
      // What was lost is known when everything is read.
      if (this.status.progress.loading && !event.progress.loading) void this.#refresh()
      this.status = { ...this.status, progress: event.progress }
    } else if (event.kind === 'hello') {
      const isKnown = this.status?.instance === event.instance && this.status.change === event.change
      if (!isKnown || this.runs?.matched === 0) void this.#refresh()
    } else if (event.kind !== 'curation') {
      void this.#refresh()
    }
  }

  /** Asks for everything again; what comes while it asks is asked for once more afterwards. */
  async #refresh(): Promise<void> {
    this.#isStale = true
    if (this.#isRefreshing) return
    this.#isRefreshing = true
    while (this.#isStale) {
      this.#isStale = false
      await this.#ask()
      await new Promise((resolve) => setTimeout(resolve, REFRESH_MILLIS))
    }
    this.#isRefreshing = false
  }

  async #ask(): Promise<void> {
    clearTimeout(this.#waiting)
    try {
      const [status, runs] = await Promise.all([this.#client.status(), this.#client.runs(SHOWN_RUNS)])
      this.status = status
      this.runs = runs
      this.trouble = null
      this.heardAt = Date.now()
    } catch (error) {
      // That nothing comes back, or that a login is wanted, is said by the connection.
      const isSaid = error instanceof RequestError && (error.status === 0 || error.status === 401)
      this.trouble = isSaid ? null : error instanceof Error ? error.message : String(error)
    }
    const isConnected = this.connection === 'live' || this.connection === 'polling'
    if (this.#isPaused || !isConnected || this.runs?.matched !== 0) return
    this.#waiting = setTimeout(() => { void this.#refresh() }, WAITING_MILLIS)
  }
}
