// Pictures of the whole view, as a menu offers them.
import { save } from '../lib/save'
import type { Page } from '../state/page.svelte'
import type { MenuItem } from '../widgets/menu'
import { attempt } from './attempt'
import { legendOfView, type Needs } from './legend'
import { viewPng, viewSvg, type Paper } from './view_picture'

const PIXELS = 2

/** Of the cards on the screen; `name` is that of the files. */
export function pictureItems(page: Needs & Pick<Page, 'cards' | 'toasts'>, name: string, isEmpty: boolean): MenuItem[] {
  const { cards, toasts } = page
  return [
    {
      label: 'SVG of visible cards',
      separated: true,
      disabled: isEmpty,
      run: attempt(toasts, () => {
        const visible = cards.visible()
        const svg = viewSvg(visible, paper(), legendOfView(page, visible))
        save(new Blob([svg], { type: 'image/svg+xml' }), `${name}.svg`)
      }),
    },
    {
      label: 'PNG of visible cards',
      disabled: isEmpty,
      run: attempt(toasts, () => {
        const visible = cards.visible()
        save(viewPng(visible, paper(), legendOfView(page, visible), PIXELS), `${name}.png`)
      }),
    },
  ]
}

/** Colours and fonts of the theme in force. */
function paper(): Paper {
  const style = getComputedStyle(document.documentElement)
  const token = (name: string): string => style.getPropertyValue(`--${name}`).trim()
  return { surface: token('surface'), ink: token('ink'), sans: token('sans'), mono: token('mono') }
}
