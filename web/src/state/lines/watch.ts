// The standing request of one card: where its lines are in the cache, and what of them it was given last.
import type { CacheEntry, PlacedRequest, SeriesCache } from './cache'
import { isSmoothedHere } from './smoothed'
import type { LineRequest, Loaded, LoadedBand, LoadedLine, Watch } from './types'

export class CardWatch implements Watch {
  isVisible = true
  top = 0
  #placed: readonly PlacedRequest[] = []
  #loaded: Loaded | null = null
  /** What `#loaded` was made from. */
  #versions: readonly number[] = []
  #isChanged = false
  readonly #listener: (loaded: Loaded) => void
  readonly #cache: SeriesCache
  readonly #changed: (isStopped: boolean) => void

  constructor(listener: (loaded: Loaded) => void, cache: SeriesCache, changed: (isStopped: boolean) => void) {
    this.#listener = listener
    this.#cache = cache
    this.#changed = changed
  }

  ask(requests: readonly LineRequest[]): void {
    const lines = requests.reduce((sum, { runs, groups }) => sum + (groups ?? runs).length, 0)
    this.#placed = requests.map((request) => this.#cache.place(request, lines))
    this.#isChanged = true
    this.#changed(false)
  }

  setVisible(isVisible: boolean, top = 0): void {
    this.top = top
    if (isVisible === this.isVisible) return
    this.isVisible = isVisible
    if (isVisible) this.#changed(false)
  }

  stop(): void {
    this.#placed = []
    this.#changed(true)
  }

  entries(): CacheEntry[] {
    return this.#placed.flatMap(entriesOf)
  }

  /** Calls the listener if something has changed since last time. `trouble` is why the last request failed. */
  publish(trouble: string | null): void {
    const versions = this.#placed.map(({ card }) => card.lastAnswers.version)
    const isSame = !this.#isChanged && versions.every((version, at) => version === this.#versions[at])
    if (isSame && (this.#loaded === null || this.#loaded.isCurrent || this.#loaded.trouble === trouble)) return
    this.#isChanged = false
    this.#versions = versions
    this.#loaded = this.#compose(trouble)
    this.#listener(this.#loaded)
  }

  #compose(failure: string | null): Loaded {
    const lines: LoadedLine[] = []
    const bands: LoadedBand[] = []
    let isCurrent = true
    let refusal: string | null = null
    for (const placed of this.#placed) {
      const { smoothing } = placed.request
      for (const entry of entriesOf(placed)) {
        // What was there before is drawn until there is something better.
        const isThere = entry.epoch >= 0
        const shown = isThere ? entry : entry.card.lastAnswers.entries.get(entry.name)
        if (!isThere) isCurrent = false
        refusal ??= entry.refusal
        if (shown?.line)
          lines.push(
            shown.smoothed.of(shown.line, isSmoothedHere(smoothing) ? smoothing : shown.card.request.smoothing),
          )
        if (shown?.band) bands.push(shown.band)
      }
    }
    const asks = this.#placed.map(({ request }) => request)
    const before = this.#loaded
    // That another card's request failed does not concern a card that has everything.
    const trouble = refusal ?? (isCurrent ? null : failure)
    if (!isCurrent && lines.length + bands.length === 0 && before !== null) return { ...before, trouble, isCurrent }
    return { asks, lines, bands, ratio: ratio(lines), trouble, isCurrent }
  }
}

function entriesOf({ request, card }: PlacedRequest): CacheEntry[] {
  return request.groups === null
    ? request.runs.map((run) => card.ofRun(run))
    : request.groups.map((group) => card.ofGroup(group))
}

function ratio(lines: readonly LoadedLine[]): number {
  let [points, entries] = [0, 0]
  for (const { data, pointsInRange } of lines) {
    points += data.kind === 'points' ? data.x.length : pointsInRange
    entries += data.kind === 'points' ? data.x.length : data.xFirst.length
  }
  return entries === 0 ? 1 : Math.max(1, points / entries)
}
