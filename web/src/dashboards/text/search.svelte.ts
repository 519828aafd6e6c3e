// What is found in the texts of the board: the results of one query, continued on request, and repeated while runs log on.
import type { Client } from '../../api/client'
import type { FoundSeries, TextQuery, TextResults } from '../../api/text'
import type { Board } from '../../state/board.svelte'
import { Repeat } from '../../state/repeat'

// So that a word is one request and not one for each letter.
const TYPING_MILLIS = 150
const REST_MILLIS = 3_000
const MORE_TEXTS = 100

export class TextSearch {
  readonly #client: Pick<Client, 'searchTexts'>
  readonly #repeat: Repeat
  #query: TextQuery | null = null
  #controller = new AbortController()
  #timer: ReturnType<typeof setTimeout> | undefined
  results = $state.raw<TextResults | null>(null)
  isSearching = $state(false)
  /** Why there are no results. */
  trouble = $state<string | null>(null)

  constructor(client: Pick<Client, 'searchTexts'>) {
    this.#client = client
    this.#repeat = new Repeat(
      () => this.#again(),
      REST_MILLIS,
      () => undefined,
    )
  }

  /** Finds what was logged since; until the returned function is called. */
  follow(board: Pick<Board, 'listen'>): () => void {
    const stop = board.listen({
      changed: () => {
        // What was continued by hand is not taken away.
        if (this.#query !== null && this.results?.next === null) this.#repeat.want(REST_MILLIS)
      },
    })
    return () => {
      stop()
      this.#repeat.cancel()
      this.run(null)
    }
  }

  /** Another query, or none. */
  run(query: TextQuery | null): void {
    clearTimeout(this.#timer)
    this.#controller.abort()
    this.#controller = new AbortController()
    this.#query = query
    if (query === null) {
      this.results = null
      this.trouble = null
      this.isSearching = false
      return
    }
    this.isSearching = true
    this.#timer = setTimeout(() => void this.#request(query, () => null), TYPING_MILLIS)
  }

  /** Series that are not among the results yet. */
  async more(): Promise<void> {
    const after = this.results?.next
    if (this.#query === null || after === null || after === undefined) return
    await this.#request({ ...this.#query, after }, () => this.results)
  }

  /** Texts of one series that are not among the results yet. */
  async moreOf({ run, tag, next }: FoundSeries): Promise<void> {
    if (this.#query === null || next === null) return
    const query = { ...this.#query, runs: [run], tags: [tag], texts: MORE_TEXTS, after: next }
    const answer = await this.#answer(query)
    const { results } = this
    if (answer === null || results === null) return
    const [more] = answer.series
    const series = results.series.map((one) =>
      one.run === run && one.tag === tag
        ? { ...one, texts: [...one.texts, ...(more?.texts ?? [])], next: more?.next ?? null }
        : one,
    )
    this.results = { ...results, series }
  }

  async #again(): Promise<void> {
    const query = this.#query
    if (query === null) return
    const most = Math.max(0, ...(this.results?.series ?? []).map(({ texts }) => texts.length))
    await this.#request({ ...query, texts: Math.min(1_000, Math.max(query.texts ?? 0, most)) }, () => null)
  }

  async #request(query: TextQuery, before: () => TextResults | null): Promise<void> {
    this.isSearching = true
    const answer = await this.#answer(query)
    if (answer !== null) this.results = together(before(), answer)
  }

  /** Null if it failed, or another query came first. */
  async #answer(query: TextQuery): Promise<TextResults | null> {
    const { signal } = this.#controller
    try {
      const answer = await this.#client.searchTexts(query, signal)
      if (signal.aborted) return null
      this.trouble = null
      return answer
    } catch (error) {
      if (!signal.aborted) this.trouble = error instanceof Error ? error.message : 'the search failed'
      return null
    } finally {
      if (!signal.aborted) this.isSearching = false
    }
  }
}

/** What was found before, with what was found behind it. */
export function together(before: TextResults | null, after: TextResults): TextResults {
  if (before === null) return after
  const series = [...before.series]
  for (const one of after.series) {
    const at = series.findIndex(({ run, tag }) => run === one.run && tag === one.tag)
    const known = series[at]
    if (known === undefined) series.push(one)
    else
      series[at] = {
        ...one,
        hits: known.hits + one.hits,
        matching: known.matching + one.matching,
        texts: [...known.texts, ...one.texts],
        next: known.next ?? one.next,
      }
  }
  // A page counts all behind its start, also what the page before it has counted.
  const isCounted = before.stopped === null
  return {
    ...after,
    series,
    total: before.total,
    searched: isCounted ? before.searched : before.total - after.total + after.searched,
    unsearched: isCounted ? before.unsearched : before.unsearched + after.unsearched,
    hits: isCounted ? before.hits : Math.max(before.hits, sum(series.map(({ hits }) => hits))),
    matching: isCounted ? before.matching : Math.max(before.matching, sum(series.map(({ matching }) => matching))),
  }
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0)
}
