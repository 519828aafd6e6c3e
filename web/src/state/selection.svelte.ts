// Which runs are drawn, which are pinned, and which one is pointed at.
import type { Columns } from './columns.svelte'
import type { Curation } from './curation.svelte'
import type { Filter } from './filter.svelte'
import type { Entry, Runs } from './runs.svelte'
import type { Settings, StartRuns } from './settings.svelte'
import type { Summaries } from './summaries.svelte'
import type { Choice } from './facts/core'
import type { View } from './view.svelte'

/** What a selection looks at; the page has it all. */
export interface Needs {
  readonly runs: Pick<Runs, 'entries'>
  readonly view: View
  readonly settings: Pick<Settings, 'values'>
  readonly filter: Pick<Filter, 'matches'>
  readonly curation: Pick<Curation, 'of'>
  readonly columns: Pick<Columns, 'better'>
  readonly summaries: Pick<Summaries, 'of'>
}

/** How many runs are shown, of how many that match the filter, before the user has chosen. */
export interface StartNotice {
  readonly which: StartRuns['which']
  readonly shown: number
  readonly of: number
}

export class Selection {
  /** The run under the pointer in the rail or on a chart: drawn thick everywhere. */
  highlighted = $state<string | null>(null)
  readonly #page: Needs
  #beforeSolo: Choice | null = null

  constructor(page: Needs) {
    this.#page = page
  }

  /** The runs that are hidden by default: of those that match the filter, all but the newest or best. */
  readonly #leftOut = $derived.by<ReadonlySet<string>>(() => {
    const { runs, settings, filter, curation, columns, summaries } = this.#page
    const start = settings.values.startRuns
    const { matches } = filter
    const entries = matches === null ? runs.entries : runs.entries.filter(({ name }) => matches.has(name))
    const values = start.which === 'best' && start.tag !== null ? summaries.of(start.tag) : null
    const isHigherBetter = start.tag !== null && columns.better(start.tag) === 'higher'
    const rank = (entry: Entry): number => {
      if (values === null) return entry.run.start_time ?? Infinity
      const summary = values.get(entry.name)
      const value = summary === undefined ? NaN : isHigherBetter ? summary.max : -summary.min
      // NaN where no point is finite; it cannot be sorted.
      return Number.isNaN(value) ? -Infinity : value
    }
    return leftOut(entries, start.count, rank, (name) => curation.of(name).pinned === true)
  })

  readonly #byHand = $derived.by(() => {
    const { shown, hidden } = this.#page.view.values.choice
    return { shown: new Set(shown), hidden: new Set(hidden) }
  })

  /** The entries that are drawn, in natural order: those that are chosen and that the filter lets through. */
  readonly shown = $derived.by<readonly Entry[]>(() => {
    const matches = this.#page.filter.matches
    return this.#page.runs.entries.filter(({ name }) => this.isShown(name) && (matches === null || matches.has(name)))
  })

  /** Until the user chooses; null when every run is shown anyway. */
  readonly startNotice = $derived.by<StartNotice | null>(() => {
    if (this.#page.view.values.choice.base !== 'start' || this.#leftOut.size === 0) return null
    const { runs, filter, settings } = this.#page
    return {
      which: settings.values.startRuns.which,
      shown: this.shown.length,
      of: filter.matches?.size ?? runs.entries.length,
    }
  })

  /** Whether it is chosen, whatever the filter says. */
  isShown(name: string): boolean {
    const { shown, hidden } = this.#byHand
    if (shown.has(name)) return true
    const { base } = this.#page.view.values.choice
    return base !== 'none' && !hidden.has(name) && (base === 'all' || !this.#leftOut.has(name))
  }

  isPinned(name: string): boolean {
    return this.#page.curation.of(name).pinned === true
  }

  /** Shows or hides these. */
  show(names: readonly string[], isShown: boolean): void {
    const { base } = this.#page.view.values.choice
    const shown = new Set(this.#byHand.shown)
    const hidden = new Set(this.#byHand.hidden)
    for (const name of names) {
      const isUsual = base === 'all' || (base === 'start' && !this.#leftOut.has(name))
      shown.delete(name)
      hidden.delete(name)
      if (isShown && !isUsual) shown.add(name)
      if (!isShown && isUsual) hidden.add(name)
    }
    // Not `#choose`: a solo that was changed by hand still has a way back.
    this.#page.view.set('choice', { base, shown: [...shown], hidden: [...hidden] })
  }

  toggle(name: string): void {
    this.show([name], !this.isShown(name))
  }

  /** Only this one; once more, those that were shown before. */
  solo(name: string): void {
    const { choice } = this.#page.view.values
    const isAlone = choice.base === 'none' && choice.shown.length === 1 && choice.shown[0] === name
    const before = this.#beforeSolo ?? (isAlone ? START : choice)
    this.#choose(isAlone ? before : { base: 'none', shown: [name], hidden: [] })
    this.#beforeSolo = isAlone ? null : before
  }

  /** Only these. */
  only(names: readonly string[]): void {
    const { entries } = this.#page.runs
    const chosen = new Set(names)
    const others = entries.flatMap(({ name }) => (chosen.has(name) ? [] : [name]))
    // The shorter list is kept: it is written into the link.
    if (chosen.size <= others.length) this.#choose({ base: 'none', shown: names, hidden: [] })
    else this.#choose({ base: 'all', shown: [], hidden: others })
  }

  all(): void {
    this.#choose(ALL)
  }

  none(): void {
    this.#choose({ base: 'none', shown: [], hidden: [] })
  }

  /** Those that are hidden, in place of those that are shown. */
  invert(): void {
    this.only(this.#page.runs.entries.flatMap(({ name }) => (this.isShown(name) ? [] : [name])))
  }

  #choose(choice: Choice): void {
    this.#beforeSolo = null
    this.#page.view.set('choice', choice)
  }
}

const ALL: Choice = { base: 'all', shown: [], hidden: [] }
const START: Choice = { base: 'start', shown: [], hidden: [] }

/** All but the `count` of highest rank; pinned ones are never among them. */
export function leftOut(
  entries: readonly Entry[],
  count: number,
  rank: (entry: Entry) => number,
  isPinned: (name: string) => boolean,
): ReadonlySet<string> {
  if (entries.length <= count) return new Set()
  const ranked = entries.map((entry) => ({ name: entry.name, rank: rank(entry) }))
  ranked.sort((a, b) => (a.rank === b.rank ? 0 : b.rank - a.rank))
  return new Set(ranked.slice(count).flatMap(({ name }) => (isPinned(name) ? [] : [name])))
}
