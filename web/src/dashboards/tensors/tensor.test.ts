// Tensors in words.
import { expect, test } from 'vitest'
import { cell, describe, part, share } from './tensor'

const STATISTICS = { min: -1.5, max: 7, mean: 0.25, std: 1.75, nan: 1, zeros: 3 }

test('a tensor is described by type, shape and statistics', () => {
  const info = { dtype: 'float32', shape: [3, 4], elements: 12, statistics: STATISTICS, error: null }
  expect(describe(info)).toMatch(/^float32 3×4, min .1\.5, max 7, mean 0\.25, std 1\.75, 1 NaN$/)
  expect(describe({ ...info, shape: [], elements: 1, statistics: null })).toBe('float32 scalar')
  expect(describe({ ...info, shape: [0], elements: 0, statistics: null })).toBe('float32 0, no elements')
})

test.each([
  [1.5, '1.5'],
  [true, 'true'],
  ['NaN', 'NaN'],
  [[1, 2], '1 + 2i'],
  [null, ''],
])('the value %j is written %s', (value, text) => {
  expect(cell(value)).toBe(text)
})

test('a part of a slice is said to be one', () => {
  const values = { shape: [2, 100, 8], index: [0], rows: [0, 50], columns: [0, 8], values: [] }
  expect(part(values)).toBe('Shown: rows 0 to 49 of 100 rows. The download has every value.')
  expect(part({ ...values, shape: [50, 8] })).toBeNull()
})

test('a cell is shaded by where its value is between min and max', () => {
  const statistics = { min: -1, max: 3, mean: 0, std: 1, nan: 0, zeros: 0 }
  expect([-1, 0, 3, NaN, Infinity, 'x', [1, 2]].map((value) => share(value, statistics))).toEqual([
    0, 0.25, 1, 0, 0, 0, 0,
  ])
  expect(share(1, null)).toBe(0)
  expect(share(1, { ...statistics, min: 1, max: 1 })).toBe(0)
})
