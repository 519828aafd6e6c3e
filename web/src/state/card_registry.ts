// The cards on the page: those that can be drawn as a picture, and the way to reach any of them.
import type { LegendItem } from '../lib/traces'

export interface PictureCard {
  readonly element: HTMLElement
  /** The card as a picture, with its title and without a legend. */
  toSvg(): string
  toCanvas(scale: number): HTMLCanvasElement
  /** What it draws in colour; for one legend of all cards. */
  legend?(): readonly LegendItem[]
}

export class CardRegistry {
  readonly #cards = new Set<PictureCard>()

  /** Focuses a card wherever it is in the grid, and returns its element; set by the grid while there is one. */
  find: (id: string) => HTMLElement | undefined = () => undefined

  /** Until the returned function is called. */
  add(card: PictureCard): () => void {
    this.#cards.add(card)
    return () => this.#cards.delete(card)
  }

  /** All that are on the page now. */
  get all(): readonly PictureCard[] {
    return [...this.#cards]
  }

  /** Those on the screen now, in the order of the page. */
  visible(): PictureCard[] {
    const isVisible = ({ element }: PictureCard): boolean => {
      const area = element.closest('[data-scroll]')?.getBoundingClientRect()
      const place = element.getBoundingClientRect()
      return area === undefined || (place.bottom > area.top && place.top < area.bottom)
    }
    const inOrder = (a: PictureCard, b: PictureCard): number =>
      a.element.compareDocumentPosition(b.element) & Node.DOCUMENT_POSITION_FOLLOWING ? -1 : 1
    return [...this.#cards].filter(isVisible).sort(inOrder)
  }
}
