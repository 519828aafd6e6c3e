// Which runs are drawn, which are pinned, and which one is pointed at.
import type { Entry, Runs } from './runs.svelte'
import type { View } from './view.svelte'

export class Selection {
  /** The run under the pointer in the rail or on a chart: drawn thick everywhere. */
  highlighted = $state<string | null>(null)
  readonly #runs: Runs
  readonly #view: View

  constructor(runs: Runs, view: View) {
    this.#runs = runs
    this.#view = view
  }

  /** The entries that are drawn, in the order of the list. */
  readonly shown = $derived.by<readonly Entry[]>(() => this.#runs.entries.filter((entry) => this.isShown(entry.name)))

  isShown(name: string): boolean {
    const { base, shown, hidden } = this.#view.values.choice
    return base === 'none' ? shown.includes(name) : !hidden.includes(name)
  }

  /** Shows or hides these. */
  show(names: readonly string[], isShown: boolean): void {
    const { base, shown, hidden } = this.#view.values.choice
    const others = (list: readonly string[]): string[] => list.filter((name) => !names.includes(name))
    this.#view.set('choice', {
      base,
      shown: isShown ? [...others(shown), ...names] : others(shown),
      hidden: isShown ? others(hidden) : [...others(hidden), ...names],
    })
  }

  /** Only this one. */
  solo(name: string): void {
    this.#view.set('choice', { base: 'none', shown: [name], hidden: [] })
  }

  all(): void {
    this.#view.set('choice', { base: 'all', shown: [], hidden: [] })
  }

  none(): void {
    this.#view.set('choice', { base: 'none', shown: [], hidden: [] })
  }
}
