// The crosshair that all cards and the rail share. Not Svelte state: it moves with the pointer, and listeners touch pixels only.

export interface Cursor {
  /** In the units of the x axis; null while no pointer is on a chart. */
  readonly x: number | null
  /** The card under the pointer. */
  readonly card: string | null
  /** What the card under the pointer reads there: run, or `groupCursorKey` of a band → value. */
  readonly values: ReadonlyMap<string, number>
  /** The run whose line is nearest to the pointer. */
  readonly nearest: string | null
}

/** Apart from a run of the same name. */
export function groupCursorKey(group: string): string {
  return `group\0${group}`
}

const NOWHERE: Cursor = { x: null, card: null, values: new Map(), nearest: null }

export class CursorHub {
  #cursor = NOWHERE
  readonly #listeners = new Set<(cursor: Cursor) => void>()

  get current(): Cursor {
    return this.#cursor
  }

  move(cursor: Cursor): void {
    this.#cursor = cursor
    for (const listener of this.#listeners) listener(cursor)
  }

  leave(): void {
    if (this.#cursor.x !== null) this.move(NOWHERE)
  }

  /** Calls `listener` after each move, until the returned function is called. */
  listen(listener: (cursor: Cursor) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }
}
