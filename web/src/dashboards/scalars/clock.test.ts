// Steps and times of the same points.
import { expect, test } from 'vitest'
import { Clock } from './clock'

const start = 1_700_000_000
const steps = { kind: 'points', x: Int32Array.of(0, 10, 20), y: Float32Array.of(1, 1, 1), smoothed: null } as const
const walls = { ...steps, x: Float64Array.of(start, start + 60, start + 600) } as const

test('a step has the time of its point, and one between two the time between', () => {
  const clock = new Clock(steps, walls)
  expect(clock.moment(10, 'step')).toEqual({ step: 10, relative: 60, wall: start + 60 })
  expect(clock.moment(15, 'step')?.relative).toBe(330)
  expect(clock.moment(-5, 'step')?.relative).toBe(0)
  expect(clock.moment(99, 'step')?.relative).toBe(600)
})

test('a time has the step of its point', () => {
  const clock = new Clock(steps, walls)
  expect(clock.moment(60, 'duration')).toEqual({ step: 10, relative: 60, wall: start + 60 })
  expect(clock.moment(start + 600, 'date')?.step).toBe(20)
})

test('pixel columns are brought together by how many points lie before them', () => {
  const none = Float32Array.of(0, 0)
  const extent = { first: none, min: none, max: none, last: none }
  const columns = { kind: 'columns', raw: extent, smoothed: null, flags: Int8Array.of(0, 0) } as const
  const clock = new Clock(
    { ...columns, xFirst: Int32Array.of(0, 50), xLast: Int32Array.of(49, 99), count: Int32Array.of(50, 50) },
    {
      ...columns,
      xFirst: Float64Array.of(start, start + 10),
      xLast: Float64Array.of(start + 9, start + 99),
      count: Int32Array.of(10, 90),
    },
  )
  expect(clock.moment(10, 'step')?.relative).toBe(10)
  expect(clock.moment(99, 'step')?.relative).toBe(99)
})

test('an axis of another tag has no time', () => {
  expect(new Clock(steps, walls).moment(1, 'value')).toBeNull()
})
