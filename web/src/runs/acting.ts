// What list and table of the runs do alike: find the row of an event, open its menu, fold its group.
import type { Group } from '../state/groups.svelte'
import type { Entry } from '../state/runs.svelte'
import type { View } from '../state/view.svelte'
import type { Place } from './table'

interface Keyed {
  readonly key: string
}
type AnyRow = Keyed &
  ({ readonly kind: 'run'; readonly entry: Entry } | { readonly kind: 'group' | 'pinned' | 'part' | 'hidden' })
export type OpenMenu = (run: string, at: Place) => void

/** The row that an event is about; rows say their keys as `data-key`. */
export function rowAt<R extends Keyed>(rows: readonly R[], target: EventTarget | null): R | undefined {
  const key = target instanceof Element ? target.closest<HTMLElement>('[data-key]')?.dataset.key : undefined
  return rows.find((row) => row.key === key)
}

/** Under an element of the row; only runs have a menu. */
export function openMenu(row: AnyRow, from: Element, open: OpenMenu): void {
  if (row.kind !== 'run') return
  const { left, bottom } = from.getBoundingClientRect()
  open(row.entry.name, { x: left, y: bottom })
}

/** Where the pointer is. Returns whether there is a menu. */
export function contextMenu(row: AnyRow | undefined, event: MouseEvent, open: OpenMenu): boolean {
  if (row?.kind !== 'run') return false
  event.preventDefault()
  open(row.entry.name, { x: event.clientX, y: event.clientY })
  return true
}

/** The id of the group in `collapsed`. */
export function groupId(view: View, group: Group): string {
  return `runs/${view.values.groupBy.kind}/${group.key}`
}

/** The id of the hidden runs of a group; they are closed by default, so that its presence in `collapsed` means open. */
export function hiddenId(view: View, group: Group): string {
  return `runs/${view.values.groupBy.kind}-hidden/${group.key}`
}

export function fold(view: View, group: Group): void {
  toggleId(view, groupId(view, group))
}

export function foldHidden(view: View, group: Group): void {
  toggleId(view, hiddenId(view, group))
}

function toggleId(view: View, id: string): void {
  const { collapsed } = view.values
  view.set('collapsed', collapsed.includes(id) ? collapsed.filter((other) => other !== id) : [...collapsed, id])
}
