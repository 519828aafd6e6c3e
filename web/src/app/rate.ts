// How fast the logs are read, from occasional progress reports.

interface Amount {
  readonly bytes_done: number
  readonly bytes_known: number
}

export interface Pace {
  readonly bytesPerSecond: number
  readonly secondsLeft: number
}

const WINDOW_MILLIS = 5_000
const SHORTEST_MILLIS = 400

export class Rate {
  #samples: { at: number; done: number }[] = []

  /** The pace over the last seconds; null while too little is known. */
  after({ bytes_done, bytes_known }: Amount, at: number): Pace | null {
    const last = this.#samples.at(-1)
    if (last !== undefined && (bytes_done < last.done || at < last.at)) this.#samples = []
    if (last?.done !== bytes_done)
      this.#samples = [...this.#samples, { at, done: bytes_done }].filter((sample) => at - sample.at <= WINDOW_MILLIS)
    const first = this.#samples[0]
    const newest = this.#samples.at(-1)
    if (first === undefined || newest === undefined || newest.at - first.at < SHORTEST_MILLIS) return null
    const bytesPerSecond = ((newest.done - first.done) / (newest.at - first.at)) * 1000
    return bytesPerSecond > 0
      ? { bytesPerSecond, secondsLeft: Math.max(0, bytes_known - bytes_done) / bytesPerSecond }
      : null
  }
}
