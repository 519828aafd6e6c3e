// Figures at a step and over a range.
import { expect, test } from 'vitest'
import { nearestPoint, rangeFigures } from './values'
import { welch } from './welch'

const line = {
  data: {
    kind: 'points',
    x: Int32Array.of(10, 20, 30),
    y: Float64Array.of(4, 1, 3),
    smoothed: Float64Array.of(4, 2, 2.5),
  },
  before: [0, 8, 8],
  after: [40, 6, 5],
} as const

test('the nearest point may lie outside of what was asked for', () => {
  expect(nearestPoint(line, 21)).toEqual({ x: 20, value: 1, smoothed: 2 })
  expect(nearestPoint(line, 4)).toEqual({ x: 0, value: 8, smoothed: 8 })
  expect(nearestPoint(line, 90)).toEqual({ x: 40, value: 6, smoothed: 5 })
})

test('a line without points has none', () => {
  const empty = { kind: 'points', x: Int32Array.of(), y: Int32Array.of(), smoothed: null } as const
  expect(nearestPoint({ data: empty, before: null, after: null }, 3)).toBeNull()
})

test('a range has start, end, extremes, mean and slope', () => {
  const figures = rangeFigures(line, [10, 30])
  expect(figures).toMatchObject({
    min: 1,
    minX: 20,
    max: 4,
    maxX: 10,
    change: -1,
    share: -0.25,
    isExact: true,
    points: 3,
  })
  expect(figures?.mean).toBeCloseTo(8 / 3)
  expect(figures?.slope).toBeCloseTo(-0.05)
  expect(figures?.start.x).toBe(10)
  expect(figures?.end.x).toBe(30)
})

test('pixel columns have exact extremes, and a mean that says that it is not', () => {
  const extent = {
    first: Float32Array.of(1, 3),
    min: Float32Array.of(0, 2),
    max: Float32Array.of(2, 4),
    last: Float32Array.of(2, 3),
  }
  const data = {
    kind: 'columns',
    xFirst: Int32Array.of(0, 10),
    xLast: Int32Array.of(9, 19),
    raw: extent,
    smoothed: null,
    count: Int32Array.of(10, 30),
    flags: Int8Array.of(0, 0),
  } as const
  const figures = rangeFigures({ data, before: null, after: null }, [0, 19])
  expect(figures).toMatchObject({ min: 0, max: 4, mean: 2.5, isExact: false, points: 40 })
  expect(figures?.end).toEqual({ x: 19, value: 3, smoothed: null })
})

test('a line without finite values in the range has no figures', () => {
  const data = { kind: 'points', x: Int32Array.of(1), y: Float64Array.of(NaN), smoothed: null } as const
  expect(rangeFigures({ data, before: null, after: null }, [0, 2])).toBeNull()
})

// t is 4 with 4 degrees of freedom: 0.0161 in the tables.
test('Welch tells how likely a difference is by chance', () => {
  expect(welch({ mean: 0, sd: 1, count: 3 }, { mean: Math.SQRT2 * Math.sqrt(16 / 3), sd: 1, count: 3 })).toBeCloseTo(
    0.0161,
    3,
  )
  expect(welch({ mean: 1, sd: 1, count: 9 }, { mean: 1, sd: 2, count: 9 })).toBeCloseTo(1)
  expect(welch({ mean: 1, sd: 1, count: 1 }, { mean: 2, sd: 1, count: 9 })).toBeNull()
})
