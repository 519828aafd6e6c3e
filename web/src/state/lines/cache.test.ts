// What was not used for longest is dropped first, and what is in use never.
import { expect, test } from 'vitest'
import { SeriesCache, type CacheEntry } from './cache'
import type { LineRequest, LoadedLine } from './types'

const REQUEST: LineRequest = {
  source: { tag: 'loss' },
  runs: [],
  groups: null,
  x: 'step',
  range: null,
  columns: 400,
  smoothing: 'none',
  bootstrap: null,
}

/** A line of 100 points, which is 300 numbers with its smoothed ones. */
function fill(entry: CacheEntry, usedAt: number): CacheEntry {
  const column = new Float64Array(100)
  const line: LoadedLine = {
    run: entry.run ?? '',
    tag: 'loss',
    data: { kind: 'points', x: column, y: column, smoothed: column },
    before: null,
    after: null,
    points: 100,
    pointsInRange: 100,
    change: 1,
    generation: 1,
  }
  Object.assign(entry, { line, usedAt, epoch: 0 })
  entry.card.whole.set(entry.run ?? '', entry)
  entry.card.lastAnswers.entries.set(entry.run ?? '', entry)
  return entry
}

function filled(): { cache: SeriesCache; entryOf: (run: string) => CacheEntry } {
  const cache = new SeriesCache()
  const entryOf = (run: string): CacheEntry => cache.place(REQUEST, 3).card.ofRun(run)
  for (const [at, run] of ['old', 'newer', 'used'].entries()) fill(entryOf(run), at + 1)
  return { cache, entryOf }
}

test('as long as there is room, everything stays', () => {
  const { cache, entryOf } = filled()
  cache.trim(900, 3)
  expect(['old', 'newer', 'used'].map((run) => entryOf(run).line !== null)).toEqual([true, true, true])
})

test('the oldest goes first, down to half of the room', () => {
  const { cache, entryOf } = filled()
  cache.trim(899, 3)
  expect(['old', 'newer', 'used'].map((run) => entryOf(run).line !== null)).toEqual([false, false, true])
  expect(entryOf('old').card.lastAnswers.entries.has('old')).toBe(false)
})

test('what is in use stays, however little room there is', () => {
  const { cache, entryOf } = filled()
  cache.trim(10, 3)
  expect(entryOf('used').line).not.toBeNull()
})

test('requests for the same share their lines, whatever the width of the plot and however many runs they have', () => {
  const { cache, entryOf } = filled()
  const other = cache.place({ ...REQUEST, columns: 2_000, range: [3, 4], runs: ['old', 'x'] }, 2).card.ofRun('old')
  expect(other).toBe(entryOf('old'))
  const smoothed = cache.place({ ...REQUEST, smoothing: 'ema:0.6' }, 2).card.ofRun('old')
  expect(smoothed.line).toBeNull()
})
