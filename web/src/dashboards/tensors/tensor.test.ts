// Tensors in words.
import { expect, test } from 'vitest'
import { cell, describe, isOdd, share } from './tensor'

const NO_INFINITIES = { positive_infinities: 0, negative_infinities: 0 }
const STATISTICS = { min: -1.5, max: 7, mean: 0.25, std: 1.75, nan: 1, zeros: 3, ...NO_INFINITIES }

test('a tensor is described by type, shape and statistics', () => {
  const info = { dtype: 'float32', shape: [3, 4], elements: 12, statistics: STATISTICS, error: null }
  expect(describe(info)).toMatch(/^float32 3×4, min .1\.5, max 7, mean 0\.25, std 1\.75, 1 NaN$/)
  const infinite = { ...STATISTICS, nan: 0, positive_infinities: 2, negative_infinities: 1000 }
  expect(describe({ ...info, statistics: infinite })).toMatch(/std 1\.75, 2 \+∞, 1,000 .∞$/)
  expect(describe({ ...info, shape: [], elements: 1, statistics: null })).toBe('float32 scalar')
  expect(describe({ ...info, shape: [0], elements: 0, statistics: null })).toBe('float32 0, no elements')
})

test.each([
  [1.5, '1.5'],
  [true, 'true'],
  [-12345678, '\u221212345678'],
  [0.000123456, '0.0001235'],
  [-0.0000123456, '\u22121.235e-5'],
  [123456789.5, '1.235e+8'],
  ['NaN', 'NaN'],
  [[1, 2], '1 + 2i'],
  [[1, -2.5], '1 \u2212 2.5i'],
  [['NaN', 0], 'NaN + 0i'],
  [null, ''],
])('the value %j is written %s', (value, text) => {
  expect(cell(value)).toBe(text)
})

test('numbers that are none stand out', () => {
  expect([1, 'NaN', 'x', true, [1, 'NaN'], '-Infinity', [1, 2]].map(isOdd)).toEqual([
    false,
    true,
    false,
    false,
    true,
    true,
    false,
  ])
})

test('a cell is shaded by where its value is between min and max', () => {
  const statistics = { min: -1, max: 3, mean: 0, std: 1, nan: 0, zeros: 0, ...NO_INFINITIES }
  expect([-1, 0, 3, NaN, Infinity, 'x', ['NaN', 2]].map((value) => share(value, statistics))).toEqual([
    0, 0.25, 1, 0, 0, 0, 0,
  ])
  // Complex numbers count by their absolute values, truth as 1.
  expect([[0, 3], true, false].map((value) => share(value, statistics))).toEqual([1, 0.5, 0.25])
  expect(share(1, null)).toBe(0)
  expect(share(1, { ...statistics, min: 1, max: 1 })).toBe(0)
})
