// What the lines of a card are at the chosen step or over the chosen range: asked for apart from the picture, so that every point counts.
import { untrack } from 'svelte'
import type { Loaded } from '../../state/lines.svelte'
import type { Card } from './card.svelte'
import { Clocks } from './clocks'
import { lineKey } from './sources'
import { bandRows, lineRows, type Chosen, type ValueRow } from './value_rows'

// Up to twice as many points are sent as they are.
const COLUMNS = 8192

export class Measures {
  readonly #card: Card
  readonly #clocks: Clocks
  #loaded = $state.raw<Loaded | null>(null)
  /** Counts what the clocks came to know, which is not state itself. */
  #told = $state(0)

  /** Asks as long as the component lives that makes it. */
  constructor(card: Card) {
    this.#card = card
    this.#clocks = new Clocks(card)
    const watch = card.page.lines.watch((loaded) => {
      this.#loaded = loaded
    })
    $effect(() => {
      const { selected } = card
      if (selected === null) return
      const { from, to } = selected
      const asks = to === null ? card.asksFor([from - 0.5, from + 0.5], 1) : card.asksFor([from, to], COLUMNS)
      untrack(() => {
        watch.ask(asks)
        this.#clocks.want(() => {
          this.#told++
        })
        this.#clocks.ask()
      })
    })
    $effect(() => () => {
      watch.stop()
      this.#clocks.stop()
    })
  }

  readonly chosen = $derived.by<Chosen | null>(() => this.#card.selected)

  readonly rows = $derived.by<readonly ValueRow[]>(() => {
    const { chosen } = this
    const loaded = this.#loaded
    const isTold = this.#told > 0
    const { aggregate, groupLooks, sourceByKey } = this.#card
    if (chosen === null || loaded === null) return []
    const bands = aggregate === null ? [] : bandRows(loaded.bands, groupLooks, aggregate.centre, chosen)
    // Members of a band have no rows of their own; runs in no group have.
    const lines = loaded.lines.filter(({ run, tag }) => {
      const source = sourceByKey.get(lineKey(run, tag))
      return source !== undefined && !this.#card.isMember(source.entry)
    })
    return [
      ...bands,
      ...lineRows(lines, sourceByKey, chosen, (key, step) =>
        isTold ? (this.#clocks.of(key)?.moment(step, 'step') ?? null) : null,
      ),
    ]
  })
}
