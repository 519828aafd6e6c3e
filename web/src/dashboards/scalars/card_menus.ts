// What a card's menus offer.
import { attempt, copied } from '../../cards/attempt'
import type { LineChartApi } from '../../charts/line/types'
import { pngOf } from '../../lib/png'
import { fileName, save } from '../../lib/save'
import { isComposed } from '../../state/card_ids'
import type { MenuItem } from '../../widgets/menu'
import type { Card } from './card.svelte'
import { chartTheme } from './chart_theme'
import { exportQuery, pointsNote, printable } from './downloads'
import { axisName } from './labels'
import { removeChart } from './own_charts'
import { asText, chartTable } from './table_rows'

const SVG = 'image/svg+xml'
const PIXELS = 2

export function downloadItems(card: Card, chart: LineChartApi | null): MenuItem[] {
  const { page, title } = card
  const points = (format: 'csv' | 'json') =>
    attempt(page.toasts, async () => {
      save(await page.client.export(exportQuery(card, format)), fileName(title, format))
    })
  const isEmpty = card.data.lines.length + card.data.bands.length === 0
  return [
    { label: 'CSV', note: pointsNote(page.selection.shown), disabled: card.sources.length === 0, run: points('csv') },
    { label: 'JSON', note: pointsNote(page.selection.shown), disabled: card.sources.length === 0, run: points('json') },
    {
      label: 'SVG',
      note: 'as shown',
      separated: true,
      disabled: isEmpty,
      run: attempt(page.toasts, () => {
        if (chart) save(new Blob([chart.toSvg({ title, legend: false })], { type: SVG }), fileName(title, 'svg'))
      }),
    },
    {
      label: 'PNG',
      note: 'as shown',
      disabled: isEmpty,
      run: attempt(page.toasts, () => {
        if (chart) save(pngOf(chart.toCanvas({ title, legend: false, scale: PIXELS })), fileName(title, 'png'))
      }),
    },
    {
      label: 'SVG for publication',
      note: 'light, with legend',
      disabled: isEmpty,
      run: attempt(page.toasts, () => {
        if (chart === null) return
        const colours = new Map([...card.data.lines, ...card.data.bands].map(({ key, style }) => [key, style.colour]))
        const svg = printable(chart, colours, chartTheme(), title)
        save(new Blob([svg], { type: SVG }), fileName(`${title}-paper`, 'svg'))
      }),
    },
    {
      label: 'Copy as table',
      icon: 'copy',
      separated: true,
      disabled: isEmpty,
      run: attempt(page.toasts, () =>
        copied(
          page.toasts,
          asText(chartTable(card.data.lines, card.kind, card.view.x), axisName(page.view.values.x), '\t'),
          'the table',
        ),
      ),
    },
    {
      label: 'Copy link to card',
      icon: 'link',
      run: attempt(page.toasts, () => copied(page.toasts, cardLink(card), 'the link')),
    },
  ]
}

/** The address of what is seen now, with this card at full size. */
function cardLink({ page, spec }: Card): string {
  return (
    location.origin +
    location.pathname +
    page.view.link.write({ values: { ...page.view.whole, full: spec.id }, others: [] })
  )
}

export type DialogName = 'notes' | 'range'

export interface CardDialogs {
  readonly toggleTable: () => void
  readonly openNotes: () => void
  readonly openRange: () => void
}

export function moreItems(card: Card, isTable: boolean, dialogs: CardDialogs): MenuItem[] {
  const { view } = card.page
  const { id } = card.spec
  const items: MenuItem[] = [
    {
      label: 'Symlog y axis',
      checked: card.yScale === 'symlog',
      run: () => {
        card.setScale(card.yScale === 'symlog' ? 'linear' : 'symlog')
      },
    },
    {
      label: 'Link zoom across cards',
      checked: view.values.isLinked,
      run: () => {
        view.set('isLinked', !view.values.isLinked)
      },
    },
    { label: 'Show as table', icon: 'table', checked: isTable, run: dialogs.toggleTable },
    { label: 'Set axis ranges…', icon: 'edit', run: dialogs.openRange },
    { label: 'Edit notes…', icon: 'note', run: dialogs.openNotes },
  ]
  if (card.selected !== null) {
    if (!card.page.settings.values.valuesEverywhere)
      items.push({
        label: 'Show selected values',
        checked: card.showsValues,
        run: () => {
          card.toggleValues()
        },
      })
    items.push({
      label: 'Clear selection',
      icon: 'close',
      run: () => {
        view.set('selected', null)
      },
    })
  }
  if (isComposed(id))
    items.push({
      label: 'Delete chart',
      icon: 'trash',
      separated: true,
      danger: true,
      run: () => {
        removeChart(view, id)
      },
    })
  return items
}
