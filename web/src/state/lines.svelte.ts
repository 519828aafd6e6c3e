// What the cards on the screen draw: one request for all of them at a time, kept up to date as runs grow.
import type { SeriesAnswer } from '../api/series'
import type { Client } from '../api/client'
import type { Board } from './board.svelte'
import { Fetcher } from './fetching'
import { accept, firstBatch, seriesQuery } from './lines/batch'
import { SeriesCache, type CacheEntry, type CardEntries } from './lines/cache'
import type { LinesApi, Loaded, Watch } from './lines/types'
import { CardWatch } from './lines/watch'

export type { LineRequest, LinesApi, Loaded, LoadedBand, LoadedLine, Watch } from './lines/types'

const MOST_NUMBERS = 8_000_000

export class Lines implements LinesApi {
  /** When the first request is answered. */
  readonly answered: Promise<void>
  readonly #cache = new SeriesCache()
  readonly #watches = new Set<CardWatch>()
  readonly #fetcher: Fetcher<CardEntries, CacheEntry, SeriesAnswer>
  #clock = 0
  #isPublishing = false

  constructor(client: Client, board: Board) {
    let resolveAnswered: () => void = () => undefined
    this.answered = new Promise((resolve) => {
      resolveAnswered = resolve
    })
    board.listen({
      changed: ({ removed }) => {
        for (const run of removed) this.#cache.remove(run)
      },
      reset: () => undefined,
    })
    this.#fetcher = new Fetcher(board, {
      subject: 'lines',
      requested: () => [...this.#watches].map((watch) => watch.entries()),
      visible: () => this.#visible(),
      firstBatch,
      request: (batch, instance, signal) => client.series(seriesQuery(batch, instance), signal),
      accept: (batch, answer, epoch) => {
        accept(batch, answer, epoch)
        resolveAnswered()
        this.#trim()
      },
      refused: (card) => {
        card.lastAnswers.version++
      },
      changed: () => {
        this.#publishSoon()
      },
    })
  }

  watch(listener: (loaded: Loaded) => void): Watch {
    const watch = new CardWatch(listener, this.#cache, (isStopped) => {
      if (isStopped) this.#watches.delete(watch)
      this.#publishSoon()
      this.#fetcher.request()
    })
    this.#watches.add(watch)
    return watch
  }

  #visible(): CacheEntry[] {
    const visible = [...this.#watches].filter((watch) => watch.isVisible).sort((a, b) => a.top - b.top)
    return [...new Set(visible.flatMap((watch) => watch.entries()))]
  }

  #trim(): void {
    const now = ++this.#clock
    for (const watch of this.#watches) for (const entry of watch.entries()) entry.usedAt = now
    this.#cache.trim(MOST_NUMBERS, now)
  }

  /** Gives the cards what there is for them, once for all that happens now. */
  #publishSoon(): void {
    if (this.#isPublishing) return
    this.#isPublishing = true
    queueMicrotask(() => {
      this.#isPublishing = false
      for (const watch of [...this.#watches]) watch.publish(this.#fetcher.trouble)
    })
  }
}
