// What each run shows at the cursor.
import { expect, test } from 'vitest'
import type { BlobList, SeriesName } from './blobs.svelte'
import { Items, type Needs } from './items.svelte'
import { View } from './view.svelte'

const list = (...steps: number[]): BlobList => ({
  instance: 'i',
  generation: 1,
  plugin: 'images',
  steps: Float64Array.from(steps),
  wallTimes: Float64Array.from(steps, (step) => step / 10),
  places: [Float64Array.from(steps, (_, at) => 16 + at), Float64Array.from(steps, () => 255)],
})

/** Items of the tag `x` for these runs; `running` ones still write. */
function items(
  lists: Readonly<Record<string, BlobList | null | undefined>>,
  running: readonly string[] = [],
): Items & { view: View } {
  const view = new View()
  const needs = {
    blobs: { of: ({ run }: SeriesName) => lists[run], watch: () => () => undefined, trouble: null },
    curation: { of: (run: string) => (run === 'a' ? { title: 'Run A' } : {}) },
    selection: { shown: Object.keys(lists).map((name) => ({ name, run: {}, parts: [] })) },
    statuses: { of: (run: string) => (running.includes(run) ? 'running' : 'ended') },
    styles: { of: () => ({ colour: '#123456' }) },
    view,
  } as unknown as Needs
  return Object.assign(new Items(needs, () => ({ dashboard: 'images', tag: 'x' })), { view })
}

test('each run shows its last item at or before the cursor, and says how far that is', () => {
  const shown = items({ a: list(10, 20), b: list(15, 30), c: list(40), d: list(5) }, ['b'])
  shown.go(25)
  expect(shown.all.map(({ run, step, distance }) => [run, step, distance])).toEqual([
    ['a', 20, 'ended'],
    ['b', 15, '\u221210'],
    ['c', null, 'first at 40'],
    ['d', 5, 'ended'],
  ])
  shown.go(30)
  expect(shown.all.map(({ distance }) => distance)).toEqual(['ended', 'exact', 'first at 40', 'ended'])
})

test('an item has the address of its place in the list, none before the first', () => {
  const shown = items({ a: list(10, 20), b: list(30) })
  shown.go(20)
  expect(shown.all.map(({ address, wallTime, title }) => [address, wallTime, title])).toEqual([
    ['11-ff', 2, 'Run A'],
    [null, null, 'b'],
  ])
})

test('without a selected step the last one is shown, and it follows', () => {
  const lists = { a: list(10, 20) }
  const shown = items(lists)
  expect([shown.cursor, shown.at]).toEqual([20, 1])
})

test('lists that are unknown are loading, those that do not exist are not', () => {
  expect(items({ a: undefined, b: list(1) }).isLoading).toBe(true)
  expect(items({ a: null, b: list(1) }).isLoading).toBe(false)
  expect(items({ a: null, b: list(1) }).all.map(({ run }) => run)).toEqual(['b'])
})

test('a card keeps its own step while steps are not linked', () => {
  const shown = items({ a: list(10, 20, 30) })
  shown.view.set('ownSteps', {})
  shown.go(10)
  expect(shown.view.values.selected).toBeNull()
  expect(shown.view.values.ownSteps).toEqual({ 'images:x': 10 })
  expect(shown.all[0]?.step).toBe(10)
  shown.view.set('ownSteps', null)
  expect(shown.all[0]?.step).toBe(30)
})
