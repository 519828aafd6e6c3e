// The small lines in the cells of the run table: of the rows on the screen, kept up to date.
import type { Range } from '../lib/numbers'
import { sparkline, type Sparkline } from '../lib/sparkline'
import type { Loaded, LinesApi, LoadedLine, Watch } from '../state/lines.svelte'

export const TRACE_WIDTH = 74
export const TRACE_HEIGHT = 16

// A look at the whole run: what is smoothed elsewhere makes no difference to it.
const SMOOTHING = 'ema:0.6'

export class Traces {
  readonly #watch: Watch
  #ranges = new Map<string, Range>()
  #lines = new Map<LoadedLine, { readonly range: Range; readonly spark: Sparkline }>()
  #sparks = $state.raw<ReadonlyMap<string, Sparkline>>(new Map())

  constructor(lines: LinesApi) {
    this.#watch = lines.watch((loaded) => {
      this.#take(loaded)
    })
  }

  /** Asks for these, and for no others. */
  show(tags: readonly string[], runs: readonly string[]): void {
    this.#watch.ask(
      tags.map((tag) => ({
        source: { tag },
        runs,
        groups: null,
        x: 'step',
        range: null,
        columns: TRACE_WIDTH,
        smoothing: SMOOTHING,
        bootstrap: null,
      })),
    )
  }

  /** Null until it is known, or if the run has no such tag. */
  of(run: string, tag: string): Sparkline | null {
    return this.#sparks.get(`${run}\u0000${tag}`) ?? null
  }

  stop(): void {
    this.#watch.stop()
  }

  #take({ lines }: Loaded): void {
    for (const line of lines) this.#widen(line)
    const before = this.#lines
    this.#lines = new Map()
    const sparks = new Map<string, Sparkline>()
    for (const line of lines) {
      const range = this.#ranges.get(line.tag)
      if (range === undefined) continue
      const known = before.get(line)
      const drawn =
        known?.range === range ? known : { range, spark: sparkline(line.data, range, TRACE_WIDTH, TRACE_HEIGHT) }
      this.#lines.set(line, drawn)
      sparks.set(`${line.run}\u0000${line.tag}`, drawn.spark)
    }
    this.#sparks = sparks
  }

  /** Runs of a column share their x axis, which never becomes shorter: what is drawn stays where it is. */
  #widen({ tag, data }: LoadedLine): void {
    const [firsts, lasts] = data.kind === 'points' ? [data.x, data.x] : [data.xFirst, data.xLast]
    const [from, to] = [firsts[0], lasts[lasts.length - 1]]
    const range = this.#ranges.get(tag)
    if (from === undefined || to === undefined) return
    if (range === undefined) this.#ranges.set(tag, [from, to])
    else if (from < range[0] || to > range[1]) this.#ranges.set(tag, [Math.min(from, range[0]), Math.max(to, range[1])])
  }
}
