// The crosshair that all cards, the rail and the strip share. Not Svelte state: it moves with the pointer, and listeners touch pixels only.
import type { XAxis } from './facts/core'

/** A place on an axis: without the axis, a step could be taken for a time or a value. */
export interface Position {
  readonly axis: XAxis
  /** In the units of the axis. */
  readonly x: number
}

export interface Cursor {
  /** Null while no pointer is on a chart. */
  readonly at: Position | null
  /** The card under the pointer. */
  readonly card: string | null
  /** What the card under the pointer reads there: run, or `groupCursorKey` of a band → value. */
  readonly values: ReadonlyMap<string, number>
  /** The run whose line is nearest to the pointer. */
  readonly nearest: string | null
  /** The step there, on an axis of times; left out where it is not known. */
  readonly step?: number | null
}

/** The x of a cursor for something that is drawn over this axis; null if the cursor is on another one or on none. */
export function xOn({ at }: Cursor, axis: XAxis): number | null {
  return at !== null && isSameAxis(at.axis, axis) ? at.x : null
}

function isSameAxis(one: XAxis, other: XAxis): boolean {
  if (typeof one === 'string' || typeof other === 'string') return one === other
  return one.tag === other.tag
}

/** Apart from a run of the same name. */
export function groupCursorKey(group: string): string {
  return `group\0${group}`
}

const NOWHERE: Cursor = { at: null, card: null, values: new Map(), nearest: null }

export class CursorHub {
  #cursor = NOWHERE
  #last = NOWHERE
  readonly #listeners = new Set<(cursor: Cursor) => void>()

  get current(): Cursor {
    return this.#cursor
  }

  /** Where the pointer was on a chart most recently. */
  get last(): Cursor {
    return this.#last
  }

  move(cursor: Cursor): void {
    this.#cursor = cursor
    if (cursor.nearest !== null) this.#last = cursor
    for (const listener of this.#listeners) listener(cursor)
  }

  leave(): void {
    if (this.#cursor.at !== null) this.move(NOWHERE)
  }

  /** Calls `listener` after each move, until the returned function is called. */
  listen(listener: (cursor: Cursor) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }
}
