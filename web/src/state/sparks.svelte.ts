// The small lines of runs in lists and tables: of those on the screen, kept up to date.
import type { Range } from '../lib/numbers'
import { sparkline, type Sparkline } from '../lib/sparkline'
import type { Loaded, LinesApi, LoadedLine, Watch } from './lines.svelte'
import type { View } from './view.svelte'

export const SPARK_WIDTH = 38
export const SPARK_HEIGHT = 14

interface Drawn {
  readonly line: LoadedLine
  readonly range: Range
  readonly spark: Sparkline
}

export class Sparks {
  readonly #watch: Watch
  readonly #view: Pick<View, 'values'>
  #drawn: ReadonlyMap<string, Drawn> = new Map()
  // Never narrower than before: what is drawn stays where it is as others come.
  #range: Range | null = null
  #sparks = $state.raw<ReadonlyMap<string, Drawn>>(new Map())

  constructor(lines: LinesApi, view: Pick<View, 'values'>) {
    this.#view = view
    this.#watch = lines.watch((loaded) => {
      this.#take(loaded)
    })
  }

  /** Asks for these, and for no others. */
  show(tags: readonly string[], runs: readonly string[]): void {
    const { smoothing } = this.#view.values
    this.#watch.ask(
      tags.map((tag) => ({
        source: { tag },
        runs,
        groups: null,
        x: 'step',
        range: null,
        columns: SPARK_WIDTH,
        smoothing,
        bootstrap: null,
      })),
    )
  }

  /** Null until it is known, or if the run has no such tag. */
  of(run: string, tag: string): Sparkline | null {
    return this.#sparks.get(`${run}\u0000${tag}`)?.spark ?? null
  }

  stop(): void {
    this.#watch.stop()
  }

  #take({ lines }: Loaded): void {
    const range = lines.reduce(widened, this.#range)
    if (range === null) return
    this.#range = range
    const drawn = new Map<string, Drawn>()
    for (const line of lines) {
      const key = `${line.run}\u0000${line.tag}`
      const before = this.#drawn.get(key)
      const isSame =
        before !== undefined && before.line === line && before.range[0] === range[0] && before.range[1] === range[1]
      drawn.set(key, isSame ? before : { line, range, spark: sparkline(line.data, range, SPARK_WIDTH, SPARK_HEIGHT) })
    }
    this.#drawn = drawn
    this.#sparks = drawn
  }
}

function widened(range: Range | null, { data }: LoadedLine): Range | null {
  const xs = data.kind === 'points' ? data.x : data.xLast
  const first = (data.kind === 'points' ? data.x : data.xFirst)[0]
  const last = xs[xs.length - 1]
  if (first === undefined || last === undefined) return range
  return range === null ? [first, last] : [Math.min(range[0], first), Math.max(range[1], last)]
}
