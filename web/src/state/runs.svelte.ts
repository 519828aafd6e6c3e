// Every run of the board, and which of them belong together.
import type { Run } from '../api/types'

/** A run that `add_scalars` or `add_hparams` made beside the run it belongs to. */
export interface Part {
  readonly run: Run
  readonly kind: 'scalars' | 'hparams'
  readonly label: string
  /** The only tag it has; null for those of `add_hparams`. */
  readonly tag: string | null
}

/** A line of the run list: a run with its parts. */
export interface Entry {
  readonly name: string
  readonly run: Run
  readonly parts: readonly Part[]
}

export class Runs {
  /** In natural order (`a2` before `a10`). */
  all = $state.raw<readonly Run[]>([])
  /** Not yet all known. */
  isLoading = $state(true)
  /** Those that belong to no other run; trashed ones are left out. */
  readonly entries = $derived<readonly Entry[]>(this.all.map((run) => ({ name: run.name, run, parts: [] })))
  readonly byName = $derived<ReadonlyMap<string, Entry>>(new Map(this.entries.map((entry) => [entry.name, entry])))
}
