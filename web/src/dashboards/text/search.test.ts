// Results of a search that continues where it stopped.
import { expect, test } from 'vitest'
import type { FoundSeries, TextResults } from '../../api/text'
import { together } from './search.svelte'

const series = (run: string, hits: number, step: number): FoundSeries => ({
  run,
  tag: 'log',
  hits,
  matching: 1,
  texts: [{ step, address: String(step), hits, snippets: [] }],
  next: null,
})

const results = (some: Partial<TextResults>): TextResults => ({
  total: 100,
  searched: 100,
  unsearched: 0,
  hits: 0,
  matching: 0,
  stopped: null,
  series: [],
  next: null,
  ...some,
})

test('a search that was stopped adds up', () => {
  const first = results({ searched: 60, hits: 5, matching: 1, stopped: 'time', series: [series('a', 5, 1)], next: 'x' })
  const second = results({
    total: 40,
    searched: 40,
    hits: 3,
    matching: 2,
    series: [series('a', 1, 61), series('b', 2, 7)],
  })
  const all = together(first, second)
  expect(all).toMatchObject({ total: 100, searched: 100, hits: 8, matching: 3, stopped: null, next: null })
  expect(all.series.map(({ run, hits, texts }) => [run, hits, texts.map(({ step }) => step)])).toEqual([
    ['a', 6, [1, 61]],
    ['b', 2, [7]],
  ])
})

test('a further page of a search that counted everything changes no count', () => {
  const first = results({ hits: 9, matching: 3, series: [series('a', 5, 1)], next: 'x' })
  const second = results({ total: 30, searched: 30, hits: 4, matching: 2, series: [series('b', 4, 2)] })
  expect(together(first, second)).toMatchObject({ total: 100, searched: 100, hits: 9, matching: 3, next: null })
})
