// Checks what the line above the charts says.
import { expect, test } from 'vitest'
import { itemsOf } from './notable'

test('faults come before the best, each with its run and tag', () => {
  const items = itemsOf({
    best: [{ run: 'a', tag: 'val/acc', value: 0.91 }],
    diverged: [{ run: 'b', tag: 'train/loss', kind: 'nan', step: 18_000 }],
    stalled: ['c'],
  })
  expect(items.map(({ run, before, after }) => [before, run, after].filter((text) => text !== '').join(' '))).toEqual([
    'b train/loss NaN at 18,000',
    'c stalled',
    'Best val/acc a 0.91',
  ])
  expect(items.map(({ tag }) => tag)).toEqual(['train/loss', null, 'val/acc'])
})

test('no more than three of a kind', () => {
  const diverged = ['a', 'b', 'c', 'd'].map((run) => ({ run, tag: 'loss', kind: 'exploded' as const, step: NaN }))
  const items = itemsOf({ best: [], diverged, stalled: ['e', 'f', 'g', 'h'] })
  expect(items.map(({ key }) => key)).toEqual([
    'diverged a loss',
    'diverged b loss',
    'diverged c loss',
    'stalled e',
    'stalled f',
    'stalled g',
  ])
  expect(items[0]?.after).toBe('loss exploded')
})
