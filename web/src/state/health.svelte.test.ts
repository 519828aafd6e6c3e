// Checks which runs are found to be the best, diverged or writing.
import { expect, test } from 'vitest'
import type { Entry } from './runs.svelte'
import { Health, RANKS } from './health.svelte'
import type { Summary } from './summaries.svelte'

function summary(last: number, min = last, firstNan: number | null = null): Summary {
  return { count: 10, last, min, max: Math.max(last, 2), firstNan, lastStep: 90 } as Summary
}

function health(tags: Readonly<Record<string, Readonly<Record<string, Summary>>>>, writing: string[] = []): Health {
  const started = [...new Set(Object.values(tags).flatMap((rows) => Object.keys(rows)))]
  return new Health({
    runs: { started, byName: new Map(started.map((name) => [name, { name } as Entry])) },
    columns: { judged: Object.keys(tags), mainTags: Object.keys(tags).slice(0, 1), better: () => 'lower' },
    summaries: { of: (tag) => new Map(Object.entries(tags[tag] ?? {})), want: () => () => undefined },
    statuses: { of: () => 'ended', writing: new Set(writing) },
  })
}

test('a run that ends in NaN diverged, whichever tag it is in', () => {
  const { diverged } = health({
    'val/loss': { a: summary(0.5), b: summary(0.4) },
    'train/loss': { a: summary(0.5), b: summary(NaN, 0.2, 40) },
  })
  expect([...diverged.values()]).toEqual([{ run: 'b', tag: 'train/loss', kind: 'nan', step: 40 }])
})

test('a NaN that was passed is no divergence, infinity is', () => {
  const { diverged } = health({ loss: { a: summary(0.5, 0.5, 3), b: summary(Infinity, 0.2) } })
  expect([...diverged.values()]).toEqual([{ run: 'b', tag: 'loss', kind: 'infinite', step: 90 }])
})

test('a loss far above its own min and above the others has exploded', () => {
  const usual = { a: summary(0.5), b: summary(0.6), c: summary(0.4) }
  expect([...health({ loss: { ...usual, d: summary(80, 0.3) } }).diverged.keys()]).toEqual(['d'])
  // It was never better, or the others are no better.
  expect([...health({ loss: { ...usual, d: summary(80, 40) } }).diverged.keys()]).toEqual([])
  expect([...health({ loss: { ...usual, d: summary(4, 0.3) } }).diverged.keys()]).toEqual([])
})

test('the best is the best of several runs', () => {
  expect(health({ loss: { a: summary(0.5), b: summary(0.4), c: summary(NaN, NaN, 0) } }).best).toEqual([
    { run: 'b', tag: 'loss', value: 0.4 },
  ])
  expect(health({ loss: { a: summary(0.5) } }).best).toEqual([])
})

test('best, diverged and writing runs come before others, the best of those that compete', () => {
  const board = health({ loss: { a: summary(0.5), b: summary(0.4), c: summary(NaN, 0.1, 7), d: summary(0.6) } }, ['d'])
  const names = ['a', 'b', 'd']
  const of = (all: string[]) => all.map(board.ranks(all))
  expect(of(names)).toEqual([RANKS.others, RANKS.best, RANKS.running])
  expect(of(['a', 'c', 'd'])).toEqual([RANKS.others, RANKS.best, RANKS.running])
})
