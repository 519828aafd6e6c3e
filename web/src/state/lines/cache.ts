// Lines and bands that were requested, kept as long as they may be of use again.
//
//   SeriesCache ── one CardEntries per source, x, smoothing, range and detail ── one CacheEntry per run or group
//                        │
//                        ├─ lastAnswers   per source and x: what is drawn until there is something better
//                        ├─ whole         per source, x and smoothing: lines with every point, for which no zoom needs more
//                        └─ sharedWhole   per source and x: the same for all smoothing that is made here
import type { SeriesGroup, SeriesX } from '../../api/series'
import type { Range } from '../../lib/numbers'
import type { Fetched } from '../fetching'
import { detail } from './detail'
import { isSmoothedHere, Smoothed } from './smoothed'
import type { LineRequest, LoadedBand, LoadedLine } from './types'

/** One line or one band: the last answer for it and how new that is. */
export class CacheEntry implements Fetched {
  line: LoadedLine | null = null
  band: LoadedBand | null = null
  asOf = -1
  epoch = -1
  isMissing = false
  refusal: string | null = null
  /** Whether entry n of the line is point n. */
  isWhole = false
  usedAt = 0
  readonly smoothed = new Smoothed()

  constructor(
    readonly card: CardEntries,
    /** Null for a band. */
    readonly run: string | null,
    readonly group: SeriesGroup | null,
  ) {}

  get runs(): readonly string[] {
    return this.group?.runs ?? [this.run ?? '']
  }

  /** Among all answers for the same source and x. */
  get name(): string {
    return this.run ?? this.group?.name ?? ''
  }

  /** Numbers that it holds. */
  get size(): number {
    if (this.band !== null) return 12 * this.band.x.length
    if (this.line === null) return 1
    const { data } = this.line
    return data.kind === 'points' ? 3 * data.x.length : 14 * data.xFirst.length
  }
}

/** The last answer for each run or group, whatever its detail. */
export class LastAnswers {
  /** Counts the answers. */
  version = 0
  readonly entries = new Map<string, CacheEntry>()
}

/** Lines of which every point is there, by run. */
type WholeLines = Map<string, CacheEntry>

/** Lines or bands that differ in nothing but their runs: one card of a request. */
export class CardEntries {
  readonly entries = new Map<string, CacheEntry>()

  constructor(
    readonly request: Pick<LineRequest, 'source' | 'x' | 'smoothing' | 'bootstrap'>,
    readonly range: Range | null,
    readonly columns: number,
    readonly whole: WholeLines,
    /** Null if the server has to smooth. */
    readonly sharedWhole: WholeLines | null,
    readonly lastAnswers: LastAnswers,
  ) {}

  get tag(): string {
    return 'tag' in this.request.source ? this.request.source.tag : this.request.source.expression
  }

  get x(): SeriesX {
    return this.request.x
  }

  /** What answers for this run: the whole line if every point of it is there. */
  ofRun(run: string): CacheEntry {
    return this.sharedWhole?.get(run) ?? this.whole.get(run) ?? this.#entry(run, run, null)
  }

  ofGroup(group: SeriesGroup): CacheEntry {
    return this.#entry(groupKey(group), null, group)
  }

  #entry(key: string, run: string | null, group: SeriesGroup | null): CacheEntry {
    return made(this.entries, key, () => new CacheEntry(this, run, group))
  }
}

/** A request, and where its lines or bands are. */
export interface PlacedRequest {
  readonly request: LineRequest
  readonly card: CardEntries
}

export class SeriesCache {
  readonly #cards = new Map<string, CardEntries>()
  readonly #whole = new Map<string, WholeLines>()
  readonly #lastAnswers = new Map<string, LastAnswers>()

  /** `lines` is how many the card draws in all. */
  place(request: LineRequest, lines: number): PlacedRequest {
    const { range, columns } = detail(request.range, request.columns, lines)
    const { source, x, smoothing, bootstrap, groups } = request
    const series = JSON.stringify([source, x, groups !== null])
    const smoothed = JSON.stringify([series, smoothing])
    const card = made(this.#cards, JSON.stringify([smoothed, range, columns, bootstrap]), () => {
      const wholeOf = (name: string): WholeLines => made(this.#whole, name, () => new Map<string, CacheEntry>())
      return new CardEntries(
        { source, x, smoothing, bootstrap },
        range,
        columns,
        wholeOf(smoothed),
        isSmoothedHere(smoothing) ? wholeOf(series) : null,
        made(this.#lastAnswers, series, () => new LastAnswers()),
      )
    })
    return { request, card }
  }

  /** Drops a run that was deleted; the next answers for bands leave it out. */
  remove(run: string): void {
    for (const card of this.#cards.values()) card.entries.delete(run)
    for (const whole of this.#whole.values()) whole.delete(run)
    for (const last of this.#lastAnswers.values()) if (last.entries.delete(run)) last.version++
  }

  /** Drops what was not used for longest, down to half of `most` numbers, if there are more; `now` marks what is in use. */
  trim(most: number, now: number): void {
    const entries = [...this.#cards.values()].flatMap((card) => [...card.entries.values()])
    let size = entries.reduce((sum, entry) => sum + entry.size, 0)
    if (size <= most) return
    const idle = entries.filter((entry) => entry.usedAt < now).sort((a, b) => a.usedAt - b.usedAt)
    for (const entry of idle) {
      if (size <= most / 2) break
      size -= entry.size
      this.#drop(entry)
    }
  }

  #drop(entry: CacheEntry): void {
    const { card, run, group, name } = entry
    card.entries.delete(group === null ? name : groupKey(group))
    for (const whole of [card.whole, card.sharedWhole]) if (run !== null && whole?.get(run) === entry) whole.delete(run)
    if (card.lastAnswers.entries.get(name) === entry) card.lastAnswers.entries.delete(name)
    if (card.entries.size === 0) for (const [key, other] of this.#cards) if (other === card) this.#cards.delete(key)
  }
}

function groupKey({ name, runs }: SeriesGroup): string {
  return JSON.stringify([name, runs])
}

function made<T>(map: Map<string, T>, key: string, make: () => T): T {
  let found = map.get(key)
  if (found === undefined) map.set(key, (found = make()))
  return found
}
