// Whether runs are drawn as bands, and which runs make one.
import { DEFAULT_BAND } from '../../state/facts/core'
import type { View } from '../../state/view.svelte'

/** Each run for itself, runs that differ by their seed together, or as the list groups them. */
export type Grouping = 'none' | 'seed' | 'list'

export function setGrouping(view: View, grouping: Grouping): void {
  if (grouping === 'none') {
    view.set('aggregate', null)
    return
  }
  if (grouping === 'seed') view.set('groupBy', { kind: 'seed' })
  else if (view.values.groupBy.kind === 'seed') view.set('groupBy', { kind: 'folder' })
  if (view.values.aggregate === null) view.set('aggregate', DEFAULT_BAND)
}
