// The cards that are on the screen, for pictures of the whole view.

export interface ShelfCard {
  readonly element: HTMLElement
  /** The chart as a picture, with its title and without a legend. */
  toSvg(): string
  toCanvas(scale: number): HTMLCanvasElement
}

export class Shelf {
  readonly #cards = new Set<ShelfCard>()

  /** Gives the focus to a card, wherever it lies, and returns its place; the grid knows how, while there is one. */
  find: (id: string) => HTMLElement | undefined = () => undefined

  /** Until the returned function is called. */
  add(card: ShelfCard): () => void {
    this.#cards.add(card)
    return () => this.#cards.delete(card)
  }

  /** Those that can be seen now, in the order of the page. */
  seen(): ShelfCard[] {
    const isSeen = ({ element }: ShelfCard): boolean => {
      const area = element.closest('[data-scroll]')?.getBoundingClientRect()
      const place = element.getBoundingClientRect()
      return area === undefined || (place.bottom > area.top && place.top < area.bottom)
    }
    const inOrder = (a: ShelfCard, b: ShelfCard): number =>
      a.element.compareDocumentPosition(b.element) & Node.DOCUMENT_POSITION_FOLLOWING ? -1 : 1
    return [...this.#cards].filter(isSeen).sort(inOrder)
  }
}
