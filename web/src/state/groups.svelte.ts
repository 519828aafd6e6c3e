// Runs that are listed, and in bands drawn, together.
import type { Entry } from './runs.svelte'

export interface Group {
  readonly key: string
  readonly name: string
  readonly entries: readonly Entry[]
  /** The runs that have nothing to be grouped by: listed last, never drawn as a band. */
  readonly isRest: boolean
}

export class Groups {
  /** Of the entries that match the filter, sorted as the list is; one group without a name when nothing is grouped. */
  readonly all = $derived<readonly Group[]>([])
}
