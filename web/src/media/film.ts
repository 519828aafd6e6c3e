// The frames of a GIF: which one is shown when, and a bounded number of them in memory.

/** When each frame begins, in seconds, and at the end how long all of it is. */
export function startsOf(delaysMillis: readonly number[]): readonly number[] {
  const starts = [0]
  let millis = 0
  for (const delay of delaysMillis) starts.push((millis += delay) / 1000)
  return starts
}

/** The frame that is shown at a moment; after the end, the last. */
export function frameAt(starts: readonly number[], seconds: number): number {
  let [low, high] = [0, starts.length - 1]
  while (high - low > 1) {
    const middle = (low + high) >>> 1
    if ((starts[middle] ?? Infinity) <= seconds) low = middle
    else high = middle
  }
  return low
}

/** Frames of one request: so many pixels together, and not more than the server sends. */
const BATCH_PIXELS = 4_000_000
const MOST_IN_BATCH = 64
/** Decoded pixels that one film keeps, four bytes each. */
const KEPT_PIXELS = 12_000_000

export interface Picture {
  close(): void
}

export class Film<T extends Picture> {
  readonly #count: number
  readonly #batch: number
  readonly #most: number
  readonly #load: (first: number, count: number) => Promise<readonly T[]>
  readonly #frames = new Map<number, T>()
  readonly #pending = new Set<number>()
  #isClosed = false

  /** `load` gives some frames in their order, maybe fewer than asked for. */
  constructor(
    { width, height, count }: { readonly width: number; readonly height: number; readonly count: number },
    load: (first: number, count: number) => Promise<readonly T[]>,
  ) {
    const pixels = Math.max(1, width * height)
    this.#count = count
    this.#batch = Math.min(MOST_IN_BATCH, Math.max(1, Math.floor(BATCH_PIXELS / pixels)))
    this.#most = Math.max(2 * this.#batch, Math.floor(KEPT_PIXELS / pixels))
    this.#load = load
  }

  /** The frame, if it is in memory. */
  get(index: number): T | undefined {
    return this.#frames.get(index)
  }

  /** Loads the frames around this one, and those after them; resolves when there is something new. */
  async want(index: number): Promise<void> {
    await this.#request(index)
    // By the time they are shown they are here.
    void this.#request(Math.min(this.#count - 1, index + this.#batch)).catch(() => undefined)
  }

  close(): void {
    this.#isClosed = true
    for (const frame of this.#frames.values()) frame.close()
    this.#frames.clear()
  }

  async #request(index: number): Promise<void> {
    const first = index - (index % this.#batch)
    if (this.#frames.has(index) || this.#pending.has(first) || this.#isClosed) return
    this.#pending.add(first)
    try {
      const frames = await this.#load(first, Math.min(this.#batch, this.#count - first))
      if (this.#isOver()) {
        for (const frame of frames) frame.close()
        return
      }
      frames.forEach((frame, at) => {
        this.#frames.get(first + at)?.close()
        this.#frames.set(first + at, frame)
      })
      this.#drop(index)
    } finally {
      this.#pending.delete(first)
    }
  }

  // Not the field itself: it may change while frames are loaded.
  #isOver(): boolean {
    return this.#isClosed
  }

  /** Drops what is farthest from this frame. */
  #drop(index: number): void {
    if (this.#frames.size <= this.#most) return
    const ahead = (at: number): number => (at - index + this.#count) % this.#count
    const farthest = [...this.#frames.keys()].sort((a, b) => ahead(b) - ahead(a))
    for (const at of farthest.slice(0, this.#frames.size - this.#most)) {
      this.#frames.get(at)?.close()
      this.#frames.delete(at)
    }
  }
}
