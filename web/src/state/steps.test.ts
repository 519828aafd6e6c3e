// The item that is shown at a step.
import { expect, test } from 'vitest'
import { atOrBefore, mergedSteps, type Steps } from './steps'

const steps = (...logged: number[]): Steps => Float64Array.from(logged)

test.each([
  [9, -1],
  [10, 0],
  [19, 0],
  [20, 1],
  [30, 3],
  [99, 3],
])('at step %d the item at position %d is shown, never a later one', (step, at) => {
  expect(atOrBefore(steps(10, 20, 30, 30), step)).toBe(at)
})

test('steps that were logged out of order are found as well', () => {
  expect(atOrBefore(steps(30, 10, 20), 25)).toBe(2)
  expect(atOrBefore(steps(30, 10, 20), 40)).toBe(0)
})

test('nothing was logged', () => {
  expect(atOrBefore(steps(), 5)).toBe(-1)
})

test('steps of several runs are merged, each once', () => {
  expect([...mergedSteps([steps(1, 5), steps(), steps(3, 5)])]).toEqual([1, 3, 5])
  expect([...mergedSteps([steps(2, 1, 2)])]).toEqual([1, 2])
  expect([...mergedSteps([])]).toEqual([])
})

test('runs that logged at the same steps share one column', () => {
  const shared = steps(1, 2, 3)
  expect(mergedSteps([shared, steps(1, 2, 3)])).toBe(shared)
})
