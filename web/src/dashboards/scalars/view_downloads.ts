// Files of the whole view: every point behind the cards, or a picture of those on the screen.
import type { ExportQuery } from '../../api/client'
import { attempt } from '../../cards/attempt'
import { pictureItems } from '../../cards/view_downloads'
import { save } from '../../lib/save'
import type { Entry } from '../../state/runs.svelte'
import type { Page } from '../../state/page.svelte'
import type { MenuItem } from '../../widgets/menu'
import { pointsNote } from './downloads'
import { figureName, figures, members, type Spec } from './sources'

/** Each tag and expression of these cards once, for the shown runs and what belongs to them. */
export function viewQuery(cards: readonly Spec[], shown: readonly Entry[], format: 'csv' | 'json'): ExportQuery {
  const all = new Map(cards.flatMap(figures).map((figure) => [figureName(figure), figure]))
  return {
    cards: [...all].map(([name, figure]) => ({ ...figure, runs: shown.flatMap((entry) => members(entry, name)) })),
    format,
  }
}

export function viewItems(page: Page, cards: readonly Spec[]): MenuItem[] {
  const { toasts } = page
  const points = (format: 'csv' | 'json') =>
    attempt(toasts, async () => {
      save(await page.client.export(viewQuery(cards, page.selection.shown, format)), `scalars.${format}`)
    })
  const isEmpty = cards.length === 0 || page.selection.shown.length === 0
  return [
    { label: 'CSV of all cards', note: pointsNote(page.selection.shown), disabled: isEmpty, run: points('csv') },
    { label: 'JSON of all cards', note: pointsNote(page.selection.shown), disabled: isEmpty, run: points('json') },
    ...pictureItems(page, 'scalars', isEmpty),
  ]
}
