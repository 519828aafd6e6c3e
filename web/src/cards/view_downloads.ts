// Pictures of the whole view, as a menu offers them.
import { save } from '../lib/save'
import type { Page } from '../state/page.svelte'
import type { MenuItem } from '../widgets/menu'
import { attempt } from './attempt'
import { viewPng, viewSvg } from './view_picture'

const PIXELS = 2

/** Of the cards on the screen; `name` is that of the files. */
export function pictureItems(page: Pick<Page, 'cards' | 'toasts'>, name: string, isEmpty: boolean): MenuItem[] {
  const { cards, toasts } = page
  return [
    {
      label: 'SVG of visible cards',
      separated: true,
      disabled: isEmpty,
      run: attempt(toasts, () => {
        save(new Blob([viewSvg(cards.visible(), paper())], { type: 'image/svg+xml' }), `${name}.svg`)
      }),
    },
    {
      label: 'PNG of visible cards',
      disabled: isEmpty,
      run: attempt(toasts, () => {
        save(viewPng(cards.visible(), paper(), PIXELS), `${name}.png`)
      }),
    },
  ]
}

/** The colour behind the cards. */
function paper(): string {
  return getComputedStyle(document.documentElement).getPropertyValue('--surface').trim()
}
