// The legend of several cards: what is in colour in any of them, each once.
import { count } from '../lib/format'
import { BULK } from '../lib/palettes'
import { valueAt } from '../lib/scale'
import type { LegendItem } from '../lib/traces'
import type { PictureCard } from '../state/card_registry'
import type { Page } from '../state/page.svelte'

/** What a legend depends on; the page has it all. */
export type Needs = Pick<Page, 'columns' | 'selection' | 'styles' | 'theme' | 'view'>

// More would take the room of the cards.
const MOST = 60

export function legendOfView(page: Needs, cards: readonly Pick<PictureCard, 'legend'>[]): readonly LegendItem[] {
  const { selection, styles, theme } = page
  const values = valueItems(page)
  const named = values.length > 0 ? values : unique(cards.flatMap((card) => card.legend?.() ?? []))
  const grey = selection.shown.length - styles.coloured
  const plain = (label: string): LegendItem => ({ label, style: { colour: BULK[theme.current], dash: 'solid' } })
  return [
    ...named.slice(0, MOST),
    ...(named.length > MOST ? [plain(`${count(named.length - MOST)} more in colour`)] : []),
    ...(grey > 0 ? [plain(`${count(grey)} in grey`)] : []),
  ]
}

/** The ends and the centre of the scale, where colours are values. */
function valueItems({ columns, styles, view }: Needs): LegendItem[] {
  const { colourBy } = view.values
  const { scale } = styles
  const column = colourBy.kind === 'column' ? columns.get(colourBy.column) : null
  if (scale === null || column === null) return []
  return [0, 0.5, 1].map((part) => {
    const value = valueAt(scale, part)
    return {
      label: `${column.title} ${column.format(value)}`,
      style: { colour: styles.valueColour(value), dash: 'solid' },
    }
  })
}

function unique(items: readonly LegendItem[]): LegendItem[] {
  const known = new Map(items.map((item) => [`${item.label}\0${item.style.colour}\0${item.style.dash}`, item]))
  return [...known.values()]
}
