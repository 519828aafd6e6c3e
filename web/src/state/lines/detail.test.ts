// What is asked for is wide and fine enough, and the same for what looks the same.
import { expect, test } from 'vitest'
import type { Range } from '../../lib/numbers'
import { detail } from './detail'

test.each([
  [300, 512],
  [512, 512],
  [513, 768],
  [1_200, 1_280],
  [20_000, 16_384],
])('a plot of %d pixels asks for %d columns', (pixels, columns) => {
  expect(detail(null, pixels, 10)).toEqual({ range: null, columns })
})

test.each([
  [200, 1_024],
  [201, 512],
  [400, 512],
  [401, 256],
  [5_000, 64],
])('each of %d lines gets %d columns of 1024', (lines, columns) => {
  expect(detail(null, 1_000, lines).columns).toBe(columns)
})

const RANGES: readonly Range[] = [
  [0, 1],
  [5_000, 5_300],
  [-3, 7],
  [1.7e9, 1.7e9 + 60],
  [1e-6, 3e-6],
  [0, 1e16],
  [-1e15, 12],
]

test.each(RANGES)('around %d to %d there is room on both sides, and no pixel is lost', (from, to) => {
  const { range, columns } = detail([from, to], 1_000, 1)
  expect(range).not.toBeNull()
  if (range === null) return
  const width = to - from
  expect(from - range[0]).toBeGreaterThanOrEqual(width / 8)
  expect(range[1] - to).toBeGreaterThanOrEqual(width / 8)
  expect(range[1] - range[0]).toBeLessThanOrEqual(2.5 * width)
  expect(columns / (range[1] - range[0])).toBeGreaterThanOrEqual((1_000 / width) * 0.999)
})

test('most small pans ask for the same', () => {
  const kinds = new Set<string>()
  for (let n = 0; n < 100; n++) kinds.add(JSON.stringify(detail([1_000 + n / 10, 1_100 + n / 10], 1_000, 1)))
  expect(kinds.size).toBeLessThanOrEqual(3)
})

test('a range of nothing is still one', () => {
  const { range } = detail([5, 5], 1_000, 1)
  expect(range?.[0]).toBeLessThan(5)
  expect(range?.[1]).toBeGreaterThan(5)
})
