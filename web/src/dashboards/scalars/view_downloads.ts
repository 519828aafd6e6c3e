// Files of the whole view: every point behind the cards, or a picture of those on the screen.
import type { CardSpec } from '../../cards/groups'
import type { ExportQuery } from '../../api/client'
import type { Entry } from '../../state/runs.svelte'
import type { Page } from '../../state/page.svelte'
import type { MenuItem } from '../../widgets/menu'
import { attempt } from './attempt'
import { chartTheme } from './chart_theme'
import { save } from './downloads'
import { figureName, figures, members } from './sources'
import { viewPng, viewSvg } from './view_picture'

const PIXELS = 2

/** Each tag and expression of these cards once, for the shown runs and what belongs to them. */
export function viewQuery(cards: readonly CardSpec[], shown: readonly Entry[], format: 'csv' | 'json'): ExportQuery {
  const all = new Map(cards.flatMap(figures).map((figure) => [figureName(figure), figure]))
  return {
    cards: [...all].map(([name, figure]) => ({ ...figure, runs: shown.flatMap((entry) => members(entry, name)) })),
    format,
  }
}

export function viewItems(page: Page, cards: readonly CardSpec[]): MenuItem[] {
  const { toasts } = page
  const points = (format: 'csv' | 'json') =>
    attempt(toasts, async () => {
      save(await page.client.export(viewQuery(cards, page.selection.shown, format)), `scalars.${format}`)
    })
  const isEmpty = cards.length === 0 || page.selection.shown.length === 0
  return [
    { label: 'CSV of all cards', note: 'every point', disabled: isEmpty, run: points('csv') },
    { label: 'JSON of all cards', note: 'every point', disabled: isEmpty, run: points('json') },
    {
      label: 'SVG of visible cards',
      separated: true,
      disabled: isEmpty,
      run: attempt(toasts, () => {
        save(new Blob([viewSvg(page.shelf.seen(), chartTheme().surface)], { type: 'image/svg+xml' }), 'scalars.svg')
      }),
    },
    {
      label: 'PNG of visible cards',
      disabled: isEmpty,
      run: attempt(toasts, () => {
        save(viewPng(page.shelf.seen(), chartTheme().surface, PIXELS), 'scalars.png')
      }),
    },
  ]
}
