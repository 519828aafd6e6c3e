// Checks small lines: shape, ends, and what is not finite.
import { expect, test } from 'vitest'
import { sparkline } from './sparkline'
import type { Trace } from './traces'

function points(x: number[], y: number[], smoothed: number[] | null = null): Trace {
  return {
    kind: 'points',
    x: Float64Array.from(x),
    y: Float64Array.from(y),
    smoothed: smoothed && Float64Array.from(smoothed),
  }
}

test('the max is at the top, the last point at its place on the common axis', () => {
  expect(sparkline(points([0, 5, 10], [3, 1, 2]), [0, 20], 21, 10)).toEqual({
    path: 'M0.0 0.0L5.3 10.0L10.5 5.0',
    end: [10.5, 5],
  })
})

test('smoothed values lead', () => {
  expect(sparkline(points([0, 1], [9, 0], [0, 1]), [0, 1], 2, 4).path).toBe('M0.0 4.0L2.0 0.0')
})

test('points that share a pixel are one, at their mean', () => {
  expect(sparkline(points([0, 0.1, 10], [0, 2, 5]), [0, 10], 2, 8).path).toBe('M0.0 8.0L2.0 0.0')
})

test('what is not finite is left out', () => {
  expect(sparkline(points([0, 1, 2], [1, NaN, 0]), [0, 2], 3, 2).path).toBe('M0.0 0.0L3.0 2.0')
  expect(sparkline(points([0], [NaN]), [0, 1], 3, 2)).toEqual({ path: '', end: null })
})

test('a line that never changes is centred', () => {
  expect(sparkline(points([0, 2], [4, 4]), [0, 2], 3, 10).path).toBe('M0.0 5.0L3.0 5.0')
})
