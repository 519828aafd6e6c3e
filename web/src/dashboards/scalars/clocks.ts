// Times of the steps of a card's lines: asked for when somebody first points at the card.
import type { Loaded, LoadedLine, Watch } from '../../state/lines.svelte'
import { lineAsks } from './asks'
import type { Card } from './card.svelte'
import { Clock } from './clock'
import { lineKey } from './sources'

const COLUMNS = 512

type Known = { readonly steps: LoadedLine; readonly walls: LoadedLine; readonly clock: Clock }

export class Clocks {
  readonly #card: Card
  #watches: readonly Watch[] = []
  #steps = new Map<string, LoadedLine>()
  #walls = new Map<string, LoadedLine>()
  readonly #made = new Map<string, Known>()

  constructor(card: Card) {
    this.#card = card
  }

  /** Asks, unless it did; `told` is called when something else is known. */
  want(told: () => void): void {
    if (this.#watches.length > 0) return
    const { lines } = this.#card.page
    this.#watches = [
      lines.watch((loaded) => {
        this.#steps = byKey(loaded)
        told()
      }),
      lines.watch((loaded) => {
        this.#walls = byKey(loaded)
        told()
      }),
    ]
    this.ask()
  }

  /** Asks again, since other lines are shown; nothing if nobody wanted to know. */
  ask(): void {
    const { spec, sources } = this.#card
    for (const [at, x] of (['step', 'wall_time'] as const).entries()) {
      this.#watches[at]?.ask(
        lineAsks(spec, sources, { x, range: null, columns: COLUMNS, smoothing: 'none' }).filter(
          (ask) => ask.runs.length > 0,
        ),
      )
    }
  }

  /** Null until it is known. */
  of(key: string): Clock | null {
    const steps = this.#steps.get(key)
    const walls = this.#walls.get(key)
    if (steps === undefined || walls === undefined) return null
    const made = this.#made.get(key)
    if (made?.steps === steps && made.walls === walls) return made.clock
    const clock = new Clock(steps.data, walls.data)
    this.#made.set(key, { steps, walls, clock })
    return clock
  }

  stop(): void {
    for (const watch of this.#watches) watch.stop()
    this.#watches = []
  }
}

function byKey(loaded: Loaded): Map<string, LoadedLine> {
  return new Map(loaded.lines.map((line) => [lineKey(line.run, line.tag), line]))
}
