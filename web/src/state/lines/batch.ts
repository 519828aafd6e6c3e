// Questions for many lines and bands at once, no larger than the server takes, and what comes back put into its places.
import type { Known, SeriesAnswer, SeriesCard, SeriesQuery } from '../../api/series'
import { emaWeight } from '../../lib/smooth'
import { grown } from './grow'
import type { Shelf, Slot } from './shelves'

const MOST_SERIES = 5_000
const MOST_CARDS = 1_000
// A body may have a mebibyte, and a character of JSON takes up to six bytes.
const MOST_CHARACTERS = 160_000
const KNOWN_CHARACTERS = 60
// Answers that are not too long to wait for: some megabytes.
const MOST_COLUMNS = 400_000

/** One question: the slots of each of its cards. */
export type Batch = ReadonlyMap<Shelf, readonly Slot[]>

/** As many of the first of `slots` as one question takes. */
export function firstBatch(slots: Iterable<Slot>): Batch {
  const batch = new Map<Shelf, Slot[]>()
  let [series, characters, columns] = [0, 0, 0]
  for (const slot of slots) {
    const { shelf } = slot
    const runs = slot.group?.runs ?? [slot.run ?? '']
    series += runs.length
    columns += shelf.columns
    characters += runs.reduce((sum, run) => sum + run.length + 3, 0) + shelf.tag.length + KNOWN_CHARACTERS
    const listed = batch.get(shelf)
    const isFull =
      series > MOST_SERIES ||
      characters > MOST_CHARACTERS ||
      columns > MOST_COLUMNS ||
      (listed === undefined && batch.size === MOST_CARDS)
    if (isFull && batch.size > 0) break
    if (listed === undefined) batch.set(shelf, [slot])
    else listed.push(slot)
  }
  return batch
}

/** The question. With `instance` only for what is new since the answers that are there. */
export function question(batch: Batch, instance: string | null): SeriesQuery {
  const cards = [...batch].map(([shelf, slots]) => card(shelf, slots))
  if (instance === null) return { cards, share_x: true }
  let since = Infinity
  const known: Known[] = []
  let at = 0
  for (const [shelf, slots] of batch) {
    for (const slot of slots) {
      since = Math.min(since, slot.asOf)
      if (slot.run === null || slot.line === null || !slot.isWhole || shelf.range !== null) continue
      const { generation, data } = slot.line
      if (data.kind === 'points')
        known.push({ card: at, run: slot.run, tag: shelf.tag, generation, points: data.x.length })
    }
    at++
  }
  return { cards, share_x: true, instance, since, known }
}

function card(shelf: Shelf, slots: readonly Slot[]): SeriesCard {
  const { source, x, smoothing, bootstrap } = shelf.ask
  const { range, columns } = shelf
  const groups = slots.flatMap((slot) => (slot.group === null ? [] : [slot.group]))
  const members =
    groups.length > 0 ? { groups } : { runs: slots.flatMap((slot) => (slot.run === null ? [] : [slot.run])) }
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

/** Puts an answer into its places. `epoch` is the number of the server that answered. */
export function take(batch: Batch, answer: SeriesAnswer, epoch: number): void {
  const cards = [...batch.values()].map((slots) => new Map(slots.map((slot) => [slot.run ?? '', slot])))
  const lists = [...batch.values()]
  const isLost = new Set<Slot>()
  for (const line of answer.lines) {
    const slot = cards[line.card]?.get(line.run)
    if (slot !== undefined && !takeLine(slot, line, epoch)) isLost.add(slot)
  }
  for (const { card: at, group, ...band } of answer.bands) {
    const slot = lists[at]?.[group]
    if (slot?.group) keep(slot, { band: { ...band, group: slot.group.name, tag: slot.shelf.tag } })
  }
  for (const { card: at, run, group } of answer.missing) {
    const slot = group === null ? cards[at]?.get(run ?? '') : undefined
    if (slot !== undefined && !slot.isMissing) keep(slot, { isMissing: true })
  }
  for (const slots of lists) {
    for (const slot of slots) {
      if (slot.epoch !== epoch) slot.shelf.trail.version++
      slot.asOf = isLost.has(slot) ? -1 : answer.change
      slot.epoch = isLost.has(slot) ? -1 : epoch
      slot.trouble = null
    }
  }
}

/** Returns false if it goes on from points that are not there. */
function takeLine(slot: Slot, line: SeriesAnswer['lines'][number], epoch: number): boolean {
  const { fromPoint, data, change, generation, points, pointsInRange, before, after } = line
  let trace = data
  let isLonger = false
  if (fromPoint > 0) {
    const old = slot.epoch === epoch && slot.line?.generation === generation ? slot.line.data : null
    if (old?.kind !== 'points' || data.kind !== 'points' || old.x.length < fromPoint) return false
    trace = grown(old, fromPoint, data)
    isLonger = fromPoint === old.x.length
  }
  if (!isLonger) slot.smoothed.forget()
  slot.isWhole = line.skipped === 0
  keep(slot, {
    line: { run: line.run, tag: slot.shelf.tag, data: trace, before, after, points, pointsInRange, change, generation },
  })
  return true
}

function keep(slot: Slot, what: Partial<Pick<Slot, 'line' | 'band' | 'isMissing'>>): void {
  Object.assign(slot, { line: null, band: null, isMissing: false }, what)
  const { shelf, run } = slot
  shelf.trail.version++
  shelf.trail.last.set(run ?? slot.group?.name ?? '', slot)
  if (run === null || shelf.range !== null) return
  for (const family of [shelf.family, shelf.common]) if (family?.get(run) === slot) family.delete(run)
  if (slot.line?.data.kind === 'points') (slot.isWhole ? (shelf.common ?? shelf.family) : shelf.family).set(run, slot)
}
