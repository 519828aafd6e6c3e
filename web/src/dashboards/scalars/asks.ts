// What a card asks the server for.
import type { Range } from '../../lib/numbers'
import type { Group } from '../../state/groups.svelte'
import type { LineRequest } from '../../state/lines.svelte'
import type { Aggregate, XAxis } from '../../state/facts/core'
import { figureName, figures, members, type Source, type Spec } from './sources'

export interface Question {
  readonly x: XAxis
  readonly range: Range | null
  readonly columns: number
  readonly smoothing: string
}

/** A line for each of the sources. */
export function lineAsks(spec: Spec, sources: readonly Source[], question: Question): LineRequest[] {
  return figures(spec).map((source) => ({
    source,
    runs: [...new Set(sources.filter(({ tag }) => tag === figureName(source)).map(({ run }) => run))],
    groups: null,
    bootstrap: null,
    ...question,
  }))
}

/** A band for each group with shown runs. */
export function bandAsks(
  spec: Spec,
  groups: readonly Group[],
  aggregate: Aggregate,
  question: Question,
): LineRequest[] {
  return figures(spec).map((source) => ({
    source,
    runs: [],
    groups: groups.map((group) => ({
      name: group.key,
      runs: group.entries.flatMap((entry) => members(entry, figureName(source))),
    })),
    bootstrap: aggregate.band === 'bootstrap' ? aggregate.centre : null,
    ...question,
  }))
}

/** The groups without the runs that are not shown; those of which nothing is left are left out. */
export function shownGroups(groups: readonly Group[], isShown: (run: string) => boolean): Group[] {
  return groups
    .map((group) => ({ ...group, entries: group.entries.filter((entry) => isShown(entry.name)) }))
    .filter((group) => group.entries.length > 0)
}
