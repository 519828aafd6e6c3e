// What nobody looked at for longest is let go of first, and what is in use never.
import { expect, test } from 'vitest'
import type { Ask, LoadedLine } from '../lines.svelte'
import { Shelves, type Slot } from './shelves'

const ASK: Ask = {
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
function fill(slot: Slot, usedAt: number): Slot {
  const column = new Float64Array(100)
  const line: LoadedLine = {
    run: slot.run ?? '',
    tag: 'loss',
    data: { kind: 'points', x: column, y: column, smoothed: column },
    before: null,
    after: null,
    points: 100,
    pointsInRange: 100,
    change: 1,
    generation: 1,
  }
  Object.assign(slot, { line, usedAt, epoch: 0 })
  slot.shelf.family.set(slot.run ?? '', slot)
  slot.shelf.trail.last.set(slot.run ?? '', slot)
  return slot
}

function filled(): { shelves: Shelves; slot: (run: string) => Slot } {
  const shelves = new Shelves()
  const slot = (run: string): Slot => shelves.plan(ASK, 3).shelf.ofRun(run)
  for (const [at, run] of ['old', 'newer', 'used'].entries()) fill(slot(run), at + 1)
  return { shelves, slot }
}

test('as long as there is room, everything stays', () => {
  const { shelves, slot } = filled()
  shelves.trim(900, 3)
  expect(['old', 'newer', 'used'].map((run) => slot(run).line !== null)).toEqual([true, true, true])
})

test('the oldest goes first, down to half of the room', () => {
  const { shelves, slot } = filled()
  shelves.trim(899, 3)
  expect(['old', 'newer', 'used'].map((run) => slot(run).line !== null)).toEqual([false, false, true])
  expect(slot('old').shelf.trail.last.has('old')).toBe(false)
})

test('what is in use stays, however little room there is', () => {
  const { shelves, slot } = filled()
  shelves.trim(10, 3)
  expect(slot('used').line).not.toBeNull()
})

test('asks for the same share their lines, whatever the width of the plot and however many runs they have', () => {
  const { shelves, slot } = filled()
  const other = shelves.plan({ ...ASK, columns: 2_000, range: [3, 4], runs: ['old', 'x'] }, 2).shelf.ofRun('old')
  expect(other).toBe(slot('old'))
  const smoothed = shelves.plan({ ...ASK, smoothing: 'ema:0.6' }, 2).shelf.ofRun('old')
  expect(smoothed.line).toBeNull()
})
