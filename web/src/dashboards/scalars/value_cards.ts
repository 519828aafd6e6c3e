// Which cards list the values of the selected steps: the one that was clicked, not its pinned copy nor any other.
import { SvelteSet } from 'svelte/reactivity'
import type { Page } from '../../state/page.svelte'

const OF_PAGE = new WeakMap<Page, SvelteSet<object>>()

/** The cards themselves, in one set per page. */
export function valueCards(page: Page): SvelteSet<object> {
  let known = OF_PAGE.get(page)
  if (known === undefined) OF_PAGE.set(page, (known = new SvelteSet()))
  return known
}
