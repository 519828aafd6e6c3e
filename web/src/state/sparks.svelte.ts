// The small lines of runs in lists and tables: of those on the screen, kept up to date.
import type { Range } from '../lib/numbers'
import { sparkline, type Sparkline } from '../lib/sparkline'
import type { Loaded, LinesApi, LoadedLine, Watch } from './lines.svelte'

/** In pixels, without the dot at the end. */
export interface SparkSize {
  readonly width: number
  readonly height: number
}

export class Sparks {
  readonly size: SparkSize
  readonly #watch: Watch
  readonly #smoothing: () => string
  readonly #ranges = new Map<string, Range>()
  #drawn = new Map<LoadedLine, { readonly range: Range; readonly spark: Sparkline }>()
  #sparks = $state.raw<ReadonlyMap<string, Sparkline>>(new Map())

  constructor(lines: LinesApi, size: SparkSize, smoothing: () => string) {
    this.size = size
    this.#smoothing = smoothing
    this.#watch = lines.watch((loaded) => {
      this.#accept(loaded)
    })
  }

  /** Requests these, and no others. */
  show(tags: readonly string[], runs: readonly string[]): void {
    const smoothing = this.#smoothing()
    this.#watch.ask(
      tags.map((tag) => ({
        source: { tag },
        runs,
        groups: null,
        x: 'step',
        range: null,
        columns: this.size.width,
        smoothing,
        bootstrap: null,
      })),
    )
  }

  /** Null until it is known, or if the run has no such tag. */
  of(run: string, tag: string): Sparkline | null {
    return this.#sparks.get(keyOf(run, tag)) ?? null
  }

  stop(): void {
    this.#watch.stop()
  }

  #accept({ lines }: Loaded): void {
    for (const line of lines) this.#widen(line)
    const { width, height } = this.size
    const before = this.#drawn
    this.#drawn = new Map()
    const sparks = new Map<string, Sparkline>()
    for (const line of lines) {
      const range = this.#ranges.get(line.tag)
      if (range === undefined) continue
      const known = before.get(line)
      const drawn = known?.range === range ? known : { range, spark: sparkline(line.data, range, width, height) }
      this.#drawn.set(line, drawn)
      sparks.set(keyOf(line.run, line.tag), drawn.spark)
    }
    this.#sparks = sparks
  }

  /** Runs of a tag share their x axis, which never becomes shorter: what is drawn stays where it is. */
  #widen({ tag, data }: LoadedLine): void {
    const [firsts, lasts] = data.kind === 'points' ? [data.x, data.x] : [data.xFirst, data.xLast]
    const [from, to] = [firsts[0], lasts[lasts.length - 1]]
    const range = this.#ranges.get(tag)
    if (from === undefined || to === undefined) return
    if (range === undefined) this.#ranges.set(tag, [from, to])
    else if (from < range[0] || to > range[1]) this.#ranges.set(tag, [Math.min(from, range[0]), Math.max(to, range[1])])
  }
}

function keyOf(run: string, tag: string): string {
  return `${run}\u0000${tag}`
}
