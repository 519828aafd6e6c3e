// The tags of the scalars dashboard.
import type { Client } from '../api/client'
import type { Tag } from '../api/types'
import { natural } from '../lib/natural'
import type { Board } from './board.svelte'
import { Repeat } from './repeat'

export interface TagInfo {
  readonly tag: string
  /** How many runs have it. */
  readonly runs: number
  readonly displayName: string
  /** Markdown. */
  readonly description: string
}

const PAGE = 5_000
const REST_MILLIS = 1_000

export class Tags {
  /** In natural order. */
  all = $state.raw<readonly TagInfo[]>([])
  isLoading = $state(true)
  readonly #client: Client
  readonly #refresh: Repeat
  #change = -1
  /** The last change that was told to concern this. */
  #told = 0
  #epoch = 0

  constructor(client: Client, board: Board) {
    this.#client = client
    this.#refresh = new Repeat(() => this.#ask(), REST_MILLIS, (error) => { board.report('tags', error) })
    board.listen({
      changed: ({ change, tags, removed, all }) => {
        if (change <= this.#change || !(all || tags.length > 0 || removed.length > 0)) return
        this.#told = change
        this.#refresh.want()
      },
      reset: () => {
        this.#epoch++
        this.#change = -1
        this.#told = 0
        this.#refresh.want()
      },
    })
  }

  /** Asks for the first time. */
  load(): void {
    this.#refresh.want()
  }

  async #ask(): Promise<void> {
    // What was told while the first answer was on its way may be in it.
    if (this.#change >= this.#told) return
    const epoch = this.#epoch
    let page = await this.#client.tags({ limit: PAGE })
    const { change } = page
    const tags: Tag[] = [...page.tags]
    while (page.next !== null) {
      page = await this.#client.tags({ limit: PAGE, after: page.next })
      tags.push(...page.tags)
    }
    if (epoch !== this.#epoch) return
    this.#change = change
    this.#take(tags)
    this.isLoading = false
  }

  #take(tags: readonly Tag[]): void {
    const before = new Map(this.all.map((info) => [info.tag, info]))
    const all = tags.map((tag) => info(tag, before.get(tag.tag))).sort((a, b) => natural(a.tag, b.tag))
    const isSame = all.length === this.all.length && all.every((one, at) => one === this.all[at])
    if (!isSame) this.all = all
  }
}

/** What did not change stays the same object. */
function info({ tag, runs, display_name: displayName, description }: Tag, before: TagInfo | undefined): TagInfo {
  const isSame = before?.runs === runs && before.displayName === displayName && before.description === description
  return isSame ? before : { tag, runs, displayName, description }
}
