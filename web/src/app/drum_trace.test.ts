// The idle trace rises to its stated heights and comes back to rest.
import { expect, test } from 'vitest'
import { twitchHeight, twitchPath } from './drum_trace'

test('a twitch starts at rest, peaks at one and dies away', () => {
  const heights = Array.from({ length: 200 }, (_, t) => twitchHeight(t))
  expect(heights[0]).toBe(0)
  expect(Math.max(...heights)).toBeCloseTo(1, 10)
  expect(heights.indexOf(Math.max(...heights))).toBe(9)
  expect(heights.at(-1)).toBeLessThan(1e-9)
})

test('the path covers the whole width, from the baseline to the peak', () => {
  const path = twitchPath([{ at: 10, height: 40 }], 60, 72)
  const points = path
    .slice(1)
    .split('L')
    .map((point) => point.split(' ').map(Number))
  expect(points.map(([x]) => x)).toEqual(Array.from({ length: 61 }, (_, x) => x))
  expect(points[0]).toEqual([0, 72])
  expect(Math.min(...points.map(([, y]) => y ?? NaN))).toBeCloseTo(32, 1)
})
