// Where trainings were begun again from an earlier step, of the runs that say so.
import type { Client } from '../api/client'
import type { Restart, Run } from '../api/types'
import type { Board } from './board.svelte'
import { Repeat } from './repeat'

const NONE: readonly Restart[] = []
const REST_MILLIS = 1_000
// A query may have 16 KiB, and a character takes up to nine bytes in it.
const MOST_CHARACTERS = 1_600
const MOST_RUNS = 1_000

export class Restarts {
  byRun = $state.raw<ReadonlyMap<string, readonly Restart[]>>(new Map())
  readonly #client: Client
  readonly #refresh: Repeat
  /** How many each run has. */
  #counts: ReadonlyMap<string, number> = new Map()

  constructor(client: Client, board: Board) {
    this.#client = client
    this.#refresh = new Repeat(() => this.#ask(), REST_MILLIS, (error) => { board.report('restarts', error) })
  }

  of(run: string): readonly Restart[] {
    return this.byRun.get(run) ?? NONE
  }

  /** Tells which runs there are. */
  look(runs: readonly Run[]): void {
    this.#counts = new Map(runs.flatMap(({ name, restarts }) => (restarts > 0 ? [[name, restarts]] : [])))
    if (this.#lacking().length > 0) this.#refresh.want()
  }

  #lacking(): string[] {
    return [...this.#counts].flatMap(([name, count]) => (this.of(name).length === count ? [] : [name]))
  }

  async #ask(): Promise<void> {
    const found = new Map(this.byRun)
    for (const runs of parts(this.#lacking())) {
      for (const run of runs) found.set(run, [])
      for (const restart of await this.#client.restarts(runs)) found.set(restart.run, [...(found.get(restart.run) ?? []), restart])
    }
    this.byRun = found
  }
}

/** As many names as one question takes. */
function parts(names: readonly string[]): string[][] {
  const all: string[][] = []
  let characters = Infinity
  for (const name of names) {
    characters += name.length + 5
    const last = all.at(-1)
    if (last === undefined || characters > MOST_CHARACTERS || last.length === MOST_RUNS) {
      all.push([name])
      characters = name.length + 5
    } else last.push(name)
  }
  return all
}
