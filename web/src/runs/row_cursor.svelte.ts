// The row that keys act on in the list and in the table of runs, and what mouse and keys do with rows alike.
import type { Entry } from '../state/runs.svelte'
import type { Selection } from '../state/selection.svelte'
import { rowAt } from './acting'

/** A run, a part of one, or a row of several runs. */
export type CursorRow = { readonly key: string } & (
  { readonly kind: 'run' | 'part'; readonly entry: Entry } | { readonly kind: 'group' | 'hidden' | 'pinned' }
)

export interface RowsOnScreen<R extends CursorRow> {
  readonly rows: readonly R[]
  /** What scrolls; its head covers so many pixels at the top. */
  readonly element: HTMLElement | undefined
  readonly head: number
  /** The runs that a row shows and hides. */
  runs(row: R): readonly Entry[]
  /** Pixels from the first row. */
  top(index: number): number
  /** The list was scrolled, so that its rows are made at once. */
  scrolled(top: number): void
}

type Chosen = Pick<Selection, 'highlighted' | 'isShown' | 'only' | 'show' | 'solo'>

export class RowCursor<R extends CursorRow> {
  activeKey = $state<string | null>(null)
  /** Where a range that Shift extends began. */
  #anchor: string | null = null
  readonly #list: RowsOnScreen<R>
  readonly #selection: Chosen

  constructor(list: RowsOnScreen<R>, selection: Chosen) {
    this.#list = list
    this.#selection = selection
  }

  /** The first row before keys went anywhere. */
  get at(): number {
    return Math.max(
      0,
      this.#list.rows.findIndex(({ key }) => key === this.activeKey),
    )
  }

  get hasAnchor(): boolean {
    return this.#anchor !== null
  }

  anchor(row: R): void {
    this.#anchor = row.key
  }

  /** Hides the runs of a row if all are shown, and shows them otherwise. */
  toggle(row: R): void {
    const names = this.#names(row)
    if (names.length > 0) this.#selection.show(names, !names.every((name) => this.#selection.isShown(name)))
    this.anchor(row)
  }

  /** Brings all runs from the anchor to here into the state that the anchor is in. */
  extend(row: R): void {
    const { rows } = this.#list
    const from = rows.findIndex(({ key }) => key === this.#anchor)
    const to = rows.findIndex(({ key }) => key === row.key)
    const first = rows[from]
    if (first === undefined) {
      this.anchor(row)
      return
    }
    const isShown = first.kind !== 'run' || this.#selection.isShown(first.entry.name)
    const between = rows.slice(Math.min(from, to), Math.max(from, to) + 1)
    this.#selection.show(
      between.flatMap((other) => (other.kind === 'run' ? [other.entry.name] : [])),
      isShown,
    )
  }

  /** Shows the runs of a row and no others. */
  alone(row: R): void {
    if (row.kind === 'run') this.#selection.solo(row.entry.name)
    else if (row.kind === 'group') this.#selection.only(this.#names(row))
  }

  point(event: PointerEvent): void {
    this.#highlight(rowAt(this.#list.rows, event.target))
  }

  move(to: number, isExtending: boolean): void {
    const { rows, element, head } = this.#list
    const index = Math.min(rows.length - 1, Math.max(0, to))
    const row = rows[index]
    if (row === undefined || element === undefined) return
    this.#anchor ??= this.activeKey
    this.activeKey = row.key
    if (isExtending) this.extend(row)
    else this.#anchor = null
    const height = element.clientHeight - head
    const [top, bottom] = [this.#list.top(index), this.#list.top(index + 1)]
    if (top < element.scrollTop) element.scrollTop = top
    else if (bottom > element.scrollTop + height) element.scrollTop = bottom - height
    this.#list.scrolled(element.scrollTop)
    this.#highlight(row)
  }

  /** Keys that mean the same wherever rows are; returns whether this is one. */
  press(event: KeyboardEvent, row: R): boolean {
    const by = this.#steps(event.key)
    if (by !== 0) this.move(this.at + by, event.shiftKey)
    else if (event.key === ' ') this.toggle(row)
    else if (event.key === 'o') this.alone(row)
    else return false
    return true
  }

  #steps(key: string): number {
    const { rows, element, head } = this.#list
    const rowHeight = this.#list.top(1) - this.#list.top(0)
    const page = Math.max(1, Math.floor(((element?.clientHeight ?? 0) - head) / Math.max(1, rowHeight)) - 1)
    const steps: Readonly<Record<string, number>> = {
      ArrowDown: 1,
      ArrowUp: -1,
      PageDown: page,
      PageUp: -page,
      Home: -rows.length,
      End: rows.length,
    }
    return steps[key] ?? 0
  }

  #names(row: R): readonly string[] {
    return this.#list.runs(row).map(({ name }) => name)
  }

  #highlight(row: R | undefined): void {
    const name = row?.kind === 'run' || row?.kind === 'part' ? row.entry.name : null
    if (name !== this.#selection.highlighted) this.#selection.highlighted = name
  }
}
