// The range of an axis is TensorBoard's: outliers by index, some air, round ends.
import { expect, test } from 'vitest'
import { random } from '../line/waves'
import { Extent, niceDomain, select, symlogKnee, xDomain } from './domain'

function noise(count: number, seed = 1): Float64Array<ArrayBuffer> {
  const next = random(seed)
  return Float64Array.from({ length: count }, () => (next() - 0.3) ** 3 * 100)
}

test.each([3, 4, 19, 20, 21, 100, 1001])('of %d values the outliers are those that sorting finds', (count) => {
  const values = noise(count, count)
  const sorted = [...values].sort((a, b) => a - b)
  const expected = [sorted[Math.ceil(0.05 * (count - 1))], sorted[Math.floor(0.95 * (count - 1))]]
  expect(new Extent('linear').add(values).range(true)).toEqual(expected)
  expect(new Extent('linear').add(values).range(false)).toEqual([sorted[0], sorted.at(-1)])
})

test('one or two values have no outliers', () => {
  expect(new Extent('linear').add(Float32Array.of(1, 1000)).range(true)).toEqual([1, 1000])
})

test('what is not finite does not count, nor what has no logarithm', () => {
  const values = Float32Array.of(NaN, -2, 0, 4, Infinity, 8, -Infinity)
  expect(new Extent('linear').add(values).range(false)).toEqual([-2, 8])
  expect(new Extent('log').add(values).range(false)).toEqual([4, 8])
  expect(new Extent('log').add(Float32Array.of(-1, NaN)).range(true)).toBeNull()
})

test('columns are collected, in part or whole, and forgotten', () => {
  const extent = new Extent('linear')
    .add(noise(5000))
    .clear()
    .add(Int32Array.of(9, 1, 5, 7), 1, 3)
    .add(Float64Array.of(6))
  expect(extent.range(false)).toEqual([1, 6])
})

test('selecting is sorting and looking, whatever the values', () => {
  for (const values of [
    noise(257, 7),
    new Float64Array(50).fill(3),
    Float64Array.from({ length: 99 }, (_, i) => (i * 37) % 10),
  ]) {
    const sorted = [...values].sort((a, b) => a - b)
    for (const index of [0, 1, values.length >> 1, values.length - 1])
      expect(select(values.slice(), index)).toBe(sorted[index])
  }
})

test.each([
  [
    [5, 5],
    [0, 10],
  ],
  [
    [-5, -5],
    [-10, 0],
  ],
  [
    [0, 0],
    [-1, 1],
  ],
  [
    [1 - 1e-16, 1],
    [0, 2],
  ],
  [
    [0, 1],
    [-0.1, 1.1],
  ],
  [
    [0.21, 2.47],
    [0, 2.6],
  ],
] as const)('%j is shown as %j', (range, shown) => {
  const domain = niceDomain(range, 'linear', 1)
  expect(domain[0]).toBeCloseTo(shown[0], 9)
  expect(domain[1]).toBeCloseTo(shown[1], 9)
})

test('on a logarithmic axis the air is a part of the decades, or a decade', () => {
  const [low, high] = niceDomain([1, 1e4], 'log', 1)
  expect([Math.log10(low), Math.log10(high)]).toEqual([expect.closeTo(-0.2, 9), expect.closeTo(4.2, 9)])
  expect(niceDomain([10, 10], 'log', 1)).toEqual([1, expect.closeTo(100, 9)])
})

test('without data there is an axis all the same', () => {
  expect(niceDomain(null, 'linear', 1)).toEqual([0, 1])
  expect(niceDomain(null, 'log', 1)).toEqual([0.1, 10])
  expect(xDomain(null, 'linear')).toEqual([0, 1])
  expect(xDomain([7, 7], 'linear')).toEqual([6, 8])
  expect(xDomain([3, 48_000], 'linear')).toEqual([3, 48_000])
})

test('the centre of a symmetric axis is three decades below its end', () => {
  expect(symlogKnee([-2, 500])).toBe(1)
  expect(symlogKnee([-20_000, 5])).toBe(100)
  expect(symlogKnee([0, 0])).toBe(1)
})
