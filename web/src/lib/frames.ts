// One frame for everything that draws: what follows the pointer at once, the rest nearest first, until the frame is used up.

/** Something that draws itself when its turn comes. */
export interface Drawing {
  draw(): void
  /** Smaller is sooner: usually the distance from the centre of the window. Only reads the page, which is not laid out again for it. */
  urgency(): number
}

/** Milliseconds of a frame that may go into drawings that can wait for the next one. The browser lays out, paints and rasters them after that. */
const BUDGET_MS = 4

export class Frames {
  /** With how urgent each is; null until its first frame. */
  readonly #waiting = new Map<Drawing, number | null>()
  readonly #now = new Set<() => void>()
  readonly #request: (callback: () => void) => unknown
  readonly #clock: () => number
  #isAsked = false

  constructor(request: (callback: () => void) => unknown, clock: () => number) {
    this.#request = request
    this.#clock = clock
  }

  /** Draws in one of the next frames; asking again before that changes nothing. */
  ask(drawing: Drawing): void {
    if (!this.#waiting.has(drawing)) this.#waiting.set(drawing, null)
    this.#schedule()
  }

  /** Whether everything is drawn. */
  get isIdle(): boolean {
    return this.#waiting.size + this.#now.size === 0
  }

  forget(drawing: Drawing): void {
    this.#waiting.delete(drawing)
  }

  /** Calls in the next frame, whatever it costs; the same function once. */
  next(callback: () => void): void {
    this.#now.add(callback)
    this.#schedule()
  }

  cancel(callback: () => void): void {
    this.#now.delete(callback)
  }

  #schedule(): void {
    if (this.#isAsked) return
    this.#isAsked = true
    this.#request(() => {
      this.#run()
    })
  }

  #run(): void {
    this.#isAsked = false
    const end = this.#clock() + BUDGET_MS
    try {
      // Before anything is written: a size that is read afterwards would force a layout.
      for (const [drawing, urgency] of this.#waiting)
        if (urgency === null) this.#waiting.set(drawing, drawing.urgency())
      for (const callback of [...this.#now]) {
        // Those behind one that fails have their turn in the next frame.
        if (this.#now.delete(callback)) callback()
      }
      const drawings = [...this.#waiting].sort((a, b) => (a[1] ?? Number.MAX_VALUE) - (b[1] ?? Number.MAX_VALUE))
      for (const [drawing] of drawings) {
        // One that an earlier drawing has taken away is not drawn.
        if (!this.#waiting.delete(drawing)) continue
        drawing.draw()
        if (this.#clock() >= end) break
      }
    } finally {
      if (this.#waiting.size > 0 || this.#now.size > 0) this.#schedule()
    }
  }
}

export const frames = new Frames(
  (callback) => requestAnimationFrame(callback),
  () => performance.now(),
)
