// Requests for many lines and bands at once, no larger than the server takes, and their answers put into the cache.
import type { Known, SeriesAnswer, SeriesCard, SeriesQuery } from '../../api/series'
import { emaWeight } from '../../lib/smooth'
import { grown } from './grow'
import type { Batch } from '../fetching'
import type { CacheEntry, CardEntries } from './cache'

const MOST_SERIES = 5_000
const MOST_CARDS = 1_000
// A body may have a mebibyte, and a character of JSON takes up to six bytes.
const MOST_CHARACTERS = 160_000
const KNOWN_CHARACTERS = 60
// Answers that are not too long to wait for: some megabytes.
const MOST_COLUMNS = 400_000

/** One request: the entries of each of its cards. */
type SeriesBatch = Batch<CardEntries, CacheEntry>

/** As many of the first of `entries` as one request takes. */
export function firstBatch(entries: Iterable<CacheEntry>): SeriesBatch {
  const batch = new Map<CardEntries, CacheEntry[]>()
  let [series, characters, columns] = [0, 0, 0]
  for (const entry of entries) {
    const { card, runs } = entry
    series += runs.length
    columns += card.columns
    characters += runs.reduce((sum, run) => sum + run.length + 3, 0) + card.tag.length + KNOWN_CHARACTERS
    const listed = batch.get(card)
    const isFull =
      series > MOST_SERIES ||
      characters > MOST_CHARACTERS ||
      columns > MOST_COLUMNS ||
      (listed === undefined && batch.size === MOST_CARDS)
    if (isFull && batch.size > 0) break
    if (listed === undefined) batch.set(card, [entry])
    else listed.push(entry)
  }
  return batch
}

/** With `instance` only for what is new since the answers that are there. */
export function seriesQuery(batch: SeriesBatch, instance: string | null): SeriesQuery {
  const cards = [...batch].map(([card, entries]) => seriesCard(card, entries))
  if (instance === null) return { cards, share_x: true }
  let since = Infinity
  const known: Known[] = []
  let at = 0
  for (const [card, entries] of batch) {
    for (const entry of entries) {
      since = Math.min(since, entry.asOf)
      if (entry.run === null || entry.line === null || !entry.isWhole || card.range !== null) continue
      const { generation, data } = entry.line
      if (data.kind === 'points')
        known.push({ card: at, run: entry.run, tag: card.tag, generation, points: data.x.length })
    }
    at++
  }
  return { cards, share_x: true, instance, since, known }
}

function seriesCard(card: CardEntries, entries: readonly CacheEntry[]): SeriesCard {
  const { source, x, smoothing, bootstrap } = card.request
  const { range, columns } = card
  const groups = entries.flatMap((entry) => (entry.group === null ? [] : [entry.group]))
  const members =
    groups.length > 0 ? { groups } : { runs: entries.flatMap((entry) => (entry.run === null ? [] : [entry.run])) }
  return {
    ...source,
    ...members,
    x,
    range,
    columns,
    smoothing,
    ...(emaWeight(smoothing) === null ? {} : { smooth_points: false }),
    ...(bootstrap === null ? {} : { bootstrap }),
  }
}

/** Puts an answer into its entries. `epoch` is the number of the server that answered. */
export function accept(batch: SeriesBatch, answer: SeriesAnswer, epoch: number): void {
  const cards = [...batch.values()].map((entries) => new Map(entries.map((entry) => [entry.run ?? '', entry])))
  const lists = [...batch.values()]
  const isLost = new Set<CacheEntry>()
  for (const line of answer.lines) {
    const entry = cards[line.card]?.get(line.run)
    if (entry !== undefined && !acceptLine(entry, line, epoch)) isLost.add(entry)
  }
  for (const { card: at, group, ...band } of answer.bands) {
    const entry = lists[at]?.[group]
    if (entry?.group) store(entry, { band: { ...band, group: entry.group.name, tag: entry.card.tag } })
  }
  for (const { card: at, run, group } of answer.missing) {
    const entry = group === null ? cards[at]?.get(run ?? '') : undefined
    if (entry !== undefined && !entry.isMissing) store(entry, { isMissing: true })
  }
  for (const entries of lists) {
    for (const entry of entries) {
      if (entry.epoch !== epoch) entry.card.lastAnswers.version++
      entry.asOf = isLost.has(entry) ? -1 : answer.change
      entry.epoch = isLost.has(entry) ? -1 : epoch
      entry.refusal = null
    }
  }
}

/** Returns false if it continues points that are not there. */
function acceptLine(entry: CacheEntry, line: SeriesAnswer['lines'][number], epoch: number): boolean {
  const { fromPoint, data, change, generation, points, pointsInRange, before, after } = line
  let trace = data
  let isLonger = false
  if (fromPoint > 0) {
    const old = entry.epoch === epoch && entry.line?.generation === generation ? entry.line.data : null
    if (old?.kind !== 'points' || data.kind !== 'points' || old.x.length < fromPoint) return false
    trace = grown(old, fromPoint, data)
    isLonger = fromPoint === old.x.length
  }
  if (!isLonger) entry.smoothed.forget()
  entry.isWhole = line.skipped === 0
  store(entry, {
    line: { run: line.run, tag: entry.card.tag, data: trace, before, after, points, pointsInRange, change, generation },
  })
  return true
}

/** A line with every point of the whole series answers for every zoom, and for every smoothing that is made here. */
function store(entry: CacheEntry, what: Partial<Pick<CacheEntry, 'line' | 'band' | 'isMissing'>>): void {
  Object.assign(entry, { line: null, band: null, isMissing: false }, what)
  const { card, run } = entry
  card.lastAnswers.version++
  card.lastAnswers.entries.set(entry.name, entry)
  if (run === null || card.range !== null) return
  for (const whole of [card.whole, card.sharedWhole]) if (whole?.get(run) === entry) whole.delete(run)
  if (entry.line?.data.kind === 'points')
    (entry.isWhole ? (card.sharedWhole ?? card.whole) : card.whole).set(run, entry)
}
