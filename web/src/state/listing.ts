// A list that the server sends in pages, requested as a whole, and again when the tags of runs change.
import type { PageOf } from '../api/client'
import type { Board } from './board.svelte'
import { Repeat } from './repeat'

export interface ListPage<Item> {
  readonly change: number
  readonly next: string | null
  readonly items: readonly Item[]
}

const PAGE = 5_000
const REST_MILLIS = 1_000

export class Listing<Item> {
  readonly #ask: (page: PageOf) => Promise<ListPage<Item>>
  readonly #take: (items: readonly Item[]) => void
  readonly #refresh: Repeat
  #change = -1
  /** The last change that was reported for this. */
  #reported = 0
  #epoch = 0

  /** `name` is what trouble is reported under. */
  constructor(
    board: Board,
    name: string,
    ask: (page: PageOf) => Promise<ListPage<Item>>,
    take: (items: readonly Item[]) => void,
  ) {
    this.#ask = ask
    this.#take = take
    this.#refresh = new Repeat(
      () => this.#renew(),
      REST_MILLIS,
      (error) => {
        board.report(name, error)
      },
    )
    board.listen({
      changed: ({ change, tags, removed, all }) => {
        if (change <= this.#change || !(all || tags.length > 0 || removed.length > 0)) return
        this.#reported = change
        this.#refresh.want()
      },
      reset: () => {
        this.#epoch++
        this.#change = -1
        this.#reported = 0
        this.#refresh.want()
      },
    })
  }

  /** The first request. */
  load(): void {
    this.#refresh.want()
  }

  async #renew(): Promise<void> {
    // What was reported while the first request was in flight may be in its response.
    if (this.#change >= this.#reported) return
    const epoch = this.#epoch
    let page = await this.#ask({ limit: PAGE })
    const { change } = page
    const items = [...page.items]
    while (page.next !== null) {
      page = await this.#ask({ limit: PAGE, after: page.next })
      items.push(...page.items)
    }
    if (epoch !== this.#epoch) return
    this.#change = change
    this.#take(items)
  }
}
