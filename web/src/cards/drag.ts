// A card's title, dragged onto another card.

const KIND = 'application/x-kymograph-card'

export function startCardDrag(event: DragEvent, id: string): void {
  event.dataTransfer?.setData(KIND, id)
  if (event.dataTransfer) event.dataTransfer.effectAllowed = 'copy'
}

export function isCardDrag(event: DragEvent): boolean {
  return event.dataTransfer?.types.includes(KIND) ?? false
}

/** The id of the dragged card; null if something else was dropped. */
export function droppedCard(event: DragEvent): string | null {
  return event.dataTransfer?.getData(KIND) || null
}
