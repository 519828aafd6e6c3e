// The moment that is shown: a run at the step of the cursor, which all dashboards share.
import { cardParts, isComposed } from './card_ids'
import type { Cursor, CursorHub } from './cursor'
import type { Runs } from './runs.svelte'
import type { Selection } from './selection.svelte'
import type { View } from './view.svelte'

/** What a moment looks at; the page has it all. */
export interface Needs {
  readonly view: View
  readonly cursor: Pick<CursorHub, 'current' | 'last'>
  readonly selection: Pick<Selection, 'shown' | 'highlighted'>
  readonly runs: Pick<Runs, 'entries'>
}

/** Where to look. */
export interface Place {
  /** An entry of the run list. */
  readonly run: string
  /** The last one while it is null. */
  readonly step: number | null
  /** The tag whose curve is drawn; null for a loss. */
  readonly tag: string | null
}

export type Where = 'view' | 'panel'

export class Moments {
  readonly #page: Needs

  constructor(page: Needs) {
    this.#page = page
  }

  /** Null while none is shown. */
  readonly shown = $derived.by<Place | null>(() => {
    const { momentRun: run, momentTag: tag, selected } = this.#page.view.values
    return run === null ? null : { run, tag, step: selected?.from ?? null }
  })

  /** Whether it is in place of the dashboard, or beside it. */
  readonly isFull = $derived.by(() => this.shown !== null && this.#page.view.values.momentIn === 'view')
  readonly isPanel = $derived.by(() => this.shown !== null && this.#page.view.values.momentIn === 'panel')

  /** A step of null follows the run. */
  open({ run, step, tag }: Place, where: Where = 'view'): void {
    const { view } = this.#page
    if (view.values.momentRun !== run) view.set('momentReference', null)
    view.set('momentTag', tag)
    this.go(step)
    view.set('momentIn', where)
    view.set('momentRun', run)
  }

  /** Back to where it was opened; the cursor stays. */
  close(): void {
    const { view } = this.#page
    view.set('momentRun', null)
    view.set('momentTag', null)
    view.set('momentReference', null)
    view.set('momentIn', 'view')
  }

  /** Another tab was chosen: what is in place of the dashboard gives way, what is beside it stays. */
  closeView(): void {
    if (this.isFull) this.close()
  }

  /** Moves the cursor of the board; null releases it, so that the last step is shown. */
  go(step: number | null): void {
    this.#page.view.set('selected', step === null ? null : { from: Math.round(step), to: null })
  }

  /** The dashboard of this name, at the same cursor. */
  openTab(dashboard: string): void {
    const { view } = this.#page
    this.close()
    view.set('full', null)
    view.set('isTable', false)
    view.set('dashboard', dashboard)
  }

  /** What the pointer is at: the run whose line is nearest, and the step; else the run that is pointed at in the list, or the first that is shown. Null without any run. */
  here(): Place | null {
    return this.#at(this.#page.cursor.current)
  }

  /** For the menu of a card: what the pointer was at before it went to the menu. */
  hereOn(card: string): Place | null {
    const { last } = this.#page.cursor
    return this.#at(last.card === card ? last : { at: null, card, values: new Map(), nearest: null })
  }

  #at({ nearest, step, at, card }: Cursor): Place | null {
    const { selection, runs, view } = this.#page
    const run = nearest ?? selection.highlighted ?? selection.shown[0]?.name ?? runs.entries[0]?.name
    if (run === undefined) return null
    const pointed = step ?? (at?.axis === 'step' ? at.x : null)
    return { run, step: pointed ?? view.values.selected?.from ?? null, tag: tagOf(card) }
  }
}

/** The tag of a card of scalars; null for all others. */
function tagOf(card: string | null): string | null {
  if (card === null || isComposed(card)) return null
  const [dashboard, name] = cardParts(card)
  return dashboard === 'scalars' ? name : null
}
