// The pinned cards: those that the link names if it names any, otherwise those that were pinned for everyone.
import { cardParts, isComposed } from './card_ids'
import type { Curation } from './curation.svelte'
import type { View } from './view.svelte'

export class Pins {
  readonly #view: View
  readonly #curation: Curation

  constructor(view: View, curation: Curation) {
    this.#view = view
    this.#curation = curation
  }

  /** Ids of cards of all dashboards, in the order in which they were pinned. */
  get all(): readonly string[] {
    return this.#view.values.pinnedCards ?? this.#curation.pinnedCards
  }

  /** Those of one dashboard. */
  of(dashboard: string): readonly string[] {
    return this.all.filter((id) => cardParts(id)[0] === dashboard)
  }

  has(id: string): boolean {
    return this.all.includes(id)
  }

  /** Pins or unpins. Cards that people put together are in the link only. */
  toggle(id: string): void {
    const isPinned = this.has(id)
    this.#view.set('pinnedCards', isPinned ? this.all.filter((pinned) => pinned !== id) : [...this.all, id])
    this.#keep([id], !isPinned)
  }

  /** Unpins all cards of a dashboard. */
  clear(dashboard: string): void {
    const unpinned = this.of(dashboard)
    this.#view.set(
      'pinnedCards',
      this.all.filter((id) => !unpinned.includes(id)),
    )
    this.#keep(unpinned, false)
  }

  #keep(ids: readonly string[], isPinned: boolean): void {
    const edits = ids
      .filter((id) => !isComposed(id))
      .map((id) => ({ key: ['card', ...cardParts(id), 'pinned'], value: isPinned || null }))
    if (edits.length > 0) void this.#curation.edit(edits)
  }
}
