// The tags of one dashboard.
import type { Client, PageOf } from '../api/client'
import type { Tag } from '../api/types'
import { natural } from '../lib/natural'
import type { Board } from './board.svelte'
import { Listing } from './listing'

export interface TagInfo {
  readonly tag: string
  /** How many runs have it. */
  readonly runs: number
  readonly displayName: string
  /** Markdown. */
  readonly description: string
}

export class Tags {
  /** In natural order. */
  all = $state.raw<readonly TagInfo[]>([])
  isLoading = $state(true)
  readonly #listing: Listing<Tag>

  constructor(client: Client, board: Board, dashboard = 'scalars') {
    const ask = async (page: PageOf) => {
      const { tags, ...rest } = await client.tags(dashboard === 'scalars' ? page : { ...page, dashboard })
      return { ...rest, items: tags }
    }
    this.#listing = new Listing(board, dashboard === 'scalars' ? 'tags' : `tags of ${dashboard}`, ask, (tags) => {
      this.#take(tags)
      this.isLoading = false
    })
  }

  /** The first request. */
  load(): void {
    this.#listing.load()
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
