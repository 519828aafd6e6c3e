// Which tags the shown runs have, so that cards without a line need not be there.
import type { Client } from '../api/client'
import { Repeat } from './repeat'
import type { Board } from './board.svelte'
import type { Runs } from './runs.svelte'
import type { Selection } from './selection.svelte'
import type { TagInfo, Tags } from './tags.svelte'

const PAGE = 5_000
// The server takes 16 KiB of query; with more runs than this every card is taken to have a line.
const LONGEST_QUERY = 12_000
const REST_MILLIS = 200

export class ShownTags {
  /** Null while every tag may have a line. */
  all = $state.raw<ReadonlySet<string> | null>(null)
  readonly #client: Client
  readonly #runs: Runs
  readonly #selection: Selection
  readonly #refresh: Repeat

  constructor(client: Client, board: Board, runs: Runs, selection: Selection) {
    this.#client = client
    this.#runs = runs
    this.#selection = selection
    this.#refresh = new Repeat(
      () => this.#ask(),
      REST_MILLIS,
      (error) => {
        board.report('tags of the shown runs', error)
      },
    )
  }

  /** Follows runs and tags; for an effect, which this makes depend on them. */
  follow(tags: Tags): void {
    // Another set of tags may be that of the shown runs, but not when each run has them all.
    const isInAll = ({ runs }: TagInfo): boolean => runs === this.#runs.all.length
    if (this.#isEverything || (this.#selection.shown.length > 0 && tags.all.every(isInAll))) {
      this.#refresh.cancel()
      this.all = null
    } else {
      this.#refresh.want()
    }
  }

  get #isEverything(): boolean {
    return this.#selection.shown.length === this.#runs.entries.length
  }

  async #ask(): Promise<void> {
    const names = this.#names()
    const isTooLong = names.reduce((sum, name) => sum + encodeURIComponent(name).length + 5, 0) > LONGEST_QUERY
    if (names.length === 0) this.all = new Set()
    else if (isTooLong || names.length > 1_000) this.all = null
    else {
      const found = new Set<string>()
      let after: string | null = null
      do {
        const page = await this.#client.tags({ limit: PAGE, after, runs: names })
        for (const { tag } of page.tags) found.add(tag)
        after = page.next
      } while (after !== null)
      // Runs that are shown since then must not lose their cards; the next answer is about them.
      const now = this.#names()
      if (!this.#isEverything && now.length === names.length && now.every((name, at) => name === names[at]))
        this.all = found
    }
  }

  #names(): string[] {
    return this.#selection.shown.flatMap((entry) => [entry.name, ...entry.parts.map((part) => part.run.name)])
  }
}
