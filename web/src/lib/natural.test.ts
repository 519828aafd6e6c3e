// Checks the natural order of names.
import { expect, test } from 'vitest'
import { natural } from './natural'

test.each([
  [
    ['a10', 'a2', 'a1'],
    ['a1', 'a2', 'a10'],
  ],
  [
    ['train2/loss', 'train_2/loss', 'train/loss'],
    ['train/loss', 'train_2/loss', 'train2/loss'],
  ],
  [
    ['seed-10/a', 'seed-9/b', 'seed-9'],
    ['seed-9', 'seed-9/b', 'seed-10/a'],
  ],
  [
    ['x2', 'x010', 'x10', 'x'],
    ['x', 'x2', 'x010', 'x10'],
  ],
  [
    ['lr0.1', 'lr0.02', 'lr0.015', 'lr0.01'],
    ['lr0.01', 'lr0.015', 'lr0.02', 'lr0.1'],
  ],
  [
    ['b', 'B', 'a'],
    ['B', 'a', 'b'],
  ],
  [
    ['10', '9', ''],
    ['', '9', '10'],
  ],
])('%j is sorted to %j', (names, sorted) => {
  expect([...names].sort(natural)).toEqual(sorted)
})

test('numbers that no double can represent are still distinguished', () => {
  expect(natural('a90071992547409930', 'a90071992547409931')).toBeLessThan(0)
})

test('only equal names are equal', () => {
  expect(natural('a1', 'a1')).toBe(0)
  expect(natural('a01', 'a1')).not.toBe(0)
})
