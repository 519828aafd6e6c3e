// Which hidden runs the rail sets aside, so that it begins with those that are drawn: it is the legend of every chart.
import type { Groups } from '../state/groups.svelte'
import type { Selection } from '../state/selection.svelte'
import type { Settings } from '../state/settings.svelte'
import type { View } from '../state/view.svelte'

export interface Needs {
  readonly groups: Pick<Groups, 'all'>
  readonly selection: Pick<Selection, 'isShown'>
  readonly settings: Pick<Settings, 'values'>
  readonly view: Pick<View, 'values'>
}

/** What was listed and what was set aside when the pointer came over the list, and with which filter. */
interface Held {
  readonly filter: string
  readonly listed: ReadonlySet<string>
  readonly setAside: ReadonlySet<string>
}

export class HiddenRuns {
  readonly #page: Needs
  #held = $state.raw<Held | null>(null)

  constructor(page: Needs) {
    this.#page = page
  }

  readonly #listed = $derived.by<readonly string[]>(() =>
    this.#page.groups.all.flatMap((group) => group.entries.map(({ name }) => name)),
  )

  /**
   * None in a list that is no longer than the number of runs that are shown by default: there all are in sight. None either where
   * every run is hidden, as there is nothing that they would be in the way of.
   */
  readonly #now = $derived.by<ReadonlySet<string>>(() => {
    const { selection, settings } = this.#page
    const names = this.#listed
    if (names.length <= settings.values.startRuns.count) return new Set()
    const hidden = new Set(names.filter((name) => !selection.isShown(name)))
    return hidden.size === names.length ? new Set() : hidden
  })

  readonly setAside = $derived.by<ReadonlySet<string>>(() => {
    const held = this.#held
    if (held === null || held.filter !== this.#page.view.values.runFilter) return this.#now
    // Runs that appear later have no place to keep.
    return new Set([...held.setAside, ...[...this.#now].filter((name) => !held.listed.has(name))])
  })

  /** Keeps runs where they are as they are shown and hidden, so that none moves away under the pointer, until `release`. */
  hold(): void {
    const { runFilter: filter } = this.#page.view.values
    this.#held = { filter, listed: new Set(this.#listed), setAside: this.setAside }
  }

  release(): void {
    this.#held = null
  }
}
