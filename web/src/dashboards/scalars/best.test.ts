// The best value of a card.
import { expect, test } from 'vitest'
import { bestOf } from './best'

const points = { kind: 'points', x: Float64Array.of(0, 1, 2), y: Float32Array.of(3, 0.5, NaN), smoothed: null } as const
const extent = {
  first: Float32Array.of(2, 2),
  min: Float32Array.of(1, 0.25),
  max: Float32Array.of(4, 3),
  last: Float32Array.of(2, 2),
}
const columns = {
  kind: 'columns',
  xFirst: Int32Array.of(0, 10),
  xLast: Int32Array.of(9, 19),
  raw: extent,
  smoothed: null,
  count: Int32Array.of(9, 9),
  flags: Int8Array.of(0, 0),
} as const

test('the best raw value is found in points and in pixel columns', () => {
  expect(bestOf([{ key: 'p', data: points }], 'lower', null)).toEqual({ key: 'p', x: 1, value: 0.5 })
  expect(
    bestOf(
      [
        { key: 'p', data: points },
        { key: 'c', data: columns },
      ],
      'lower',
      null,
    ),
  ).toEqual({ key: 'c', x: 10, value: 0.25 })
  expect(
    bestOf(
      [
        { key: 'p', data: points },
        { key: 'c', data: columns },
      ],
      'higher',
      null,
    ),
  ).toEqual({ key: 'c', x: 0, value: 4 })
})

test('in a zoomed card only what is shown counts', () => {
  expect(bestOf([{ key: 'p', data: points }], 'lower', [-1, 0])).toEqual({ key: 'p', x: 0, value: 3 })
})

test('lines without a finite value have no best one', () => {
  expect(bestOf([{ key: 'p', data: { ...points, y: Float32Array.of(NaN, Infinity, NaN) } }], 'lower', null)).toBeNull()
})
