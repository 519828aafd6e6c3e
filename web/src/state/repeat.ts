// Repeats a task on request: one at a time, with a pause in between, and never missing the last request.

const FIRST_RETRY_MILLIS = 1_000
const LONGEST_RETRY_MILLIS = 15_000

export class Repeat {
  readonly #act: () => Promise<void>
  readonly #restMillis: number
  readonly #failed: (error: unknown) => void
  readonly #restsPerDuration: number
  #timer: ReturnType<typeof setTimeout> | undefined
  #dueAt = Infinity
  #restsUntil = 0
  #isActing = false
  #retryMillis = FIRST_RETRY_MILLIS

  /**
   * `failed` is called with the error, and with null on success; failed requests are retried automatically.
   * The pause is at least this many times as long as the request took: slow requests are sent less often.
   */
  constructor(act: () => Promise<void>, restMillis: number, failed: (error: unknown) => void, restsPerDuration = 2) {
    this.#act = act
    this.#restMillis = restMillis
    this.#failed = failed
    this.#restsPerDuration = restsPerDuration
  }

  /** Requests are handled together, at the earliest time that one of them allows. */
  want(delayMillis = 0): void {
    this.#dueAt = Math.min(this.#dueAt, Date.now() + delayMillis)
    this.#schedule()
  }

  /** Cancels all requests. */
  cancel(): void {
    this.#dueAt = Infinity
    clearTimeout(this.#timer)
  }

  #schedule(): void {
    if (this.#isActing || this.#dueAt === Infinity) return
    clearTimeout(this.#timer)
    // Never at once: requests of the same moment are handled together.
    const wait = Math.max(this.#dueAt, this.#restsUntil) - Date.now()
    this.#timer = setTimeout(
      () => {
        void this.#run()
      },
      Math.max(0, wait),
    )
  }

  async #run(): Promise<void> {
    const begun = Date.now()
    this.#isActing = true
    this.#dueAt = Infinity
    try {
      await this.#act()
      this.#retryMillis = FIRST_RETRY_MILLIS
      this.#failed(null)
    } catch (error) {
      this.#failed(error)
      this.#dueAt = Math.min(this.#dueAt, Date.now() + this.#retryMillis)
      this.#retryMillis = Math.min(2 * this.#retryMillis, LONGEST_RETRY_MILLIS)
    }
    this.#isActing = false
    this.#restsUntil = Date.now() + Math.max(this.#restMillis, this.#restsPerDuration * (Date.now() - begun))
    this.#schedule()
  }
}
