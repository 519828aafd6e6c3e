// Names beside the plot keep their order and do not overlap.
import { expect, test } from 'vitest'
import { shortened, spread, tails } from './ends'

test.each([
  [
    [10, 50, 90],
    [10, 50, 90],
  ],
  [
    [50, 50, 50],
    [50, 60, 70],
  ],
  [
    [95, 96, 97],
    [80, 90, 100],
  ],
  [
    [-20, 4],
    [0, 10],
  ],
  [[], []],
])('%j are moved to %j', (places, moved) => {
  expect(spread(places, 10, 0, 100)).toEqual(moved)
})

test('a long name loses its middle', () => {
  const width = (text: string) => text.length
  expect(shortened('seed-1', 10, width)).toBe('seed-1')
  expect(shortened('sweep/adamw-1e-3/seed-7', 11, width)).toBe('sweep…eed-7')
  expect(shortened('anything', 1, width)).toBe('…')
})

test('folders are left out where the name alone says which run it is', () => {
  const all = ['cifar/augment/all-aug', 'cifar/seeds/vit/seed1', 'cifar/seeds/resnet/seed1', 'gpt/seed1']
  expect(tails(all, all)).toEqual(['all-aug', 'vit/seed1', 'resnet/seed1', 'gpt/seed1'])
  expect(tails(['seed1'], ['seed1', 'vit/seed1'])).toEqual(['seed1'])
})
