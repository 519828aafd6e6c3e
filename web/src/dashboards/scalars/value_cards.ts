// Which cards list the values of the chosen steps: those where somebody chose, so that a press does not move the whole page.
import { SvelteSet } from 'svelte/reactivity'
import type { Page } from '../../state/page.svelte'

const OF_PAGE = new WeakMap<Page, SvelteSet<string>>()

/** Ids, the same for all cards of a page. */
export function valueCards(page: Page): SvelteSet<string> {
  let known = OF_PAGE.get(page)
  if (known === undefined) OF_PAGE.set(page, (known = new SvelteSet()))
  return known
}
