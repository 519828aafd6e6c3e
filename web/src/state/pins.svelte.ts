// The cards that are pinned: those of the link if it names any, otherwise those that were pinned for everybody.
import type { Curation } from './curation.svelte'
import type { View } from './view.svelte'

export class Pins {
  readonly #view: View
  readonly #curation: Curation

  constructor(view: View, curation: Curation) {
    this.#view = view
    this.#curation = curation
  }

  /** Ids of cards, in the order in which they were pinned. */
  get all(): readonly string[] {
    return this.#view.values.pinnedCards ?? this.#curation.pinnedCards
  }

  has(id: string): boolean {
    return this.all.includes(id)
  }

  /** Pins or lets go. Charts that people made are in the link only. */
  toggle(id: string): void {
    const isPinned = this.has(id)
    this.#view.set('pinnedCards', isPinned ? this.all.filter((pinned) => pinned !== id) : [...this.all, id])
    if (!id.startsWith('chart:')) this.#keep([id], !isPinned)
  }

  clear(): void {
    const tags = this.all.filter((id) => !id.startsWith('chart:'))
    this.#view.set('pinnedCards', [])
    this.#keep(tags, false)
  }

  #keep(tags: readonly string[], isPinned: boolean): void {
    void this.#curation.edit(tags.map((tag) => ({ key: ['card', 'scalars', tag, 'pinned'], value: isPinned || null })))
  }
}
