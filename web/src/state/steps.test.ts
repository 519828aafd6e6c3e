// The item that is shown at a step.
import { expect, test } from 'vitest'
import { atOrBefore, mergedSteps } from './steps'

test.each([
  [9, -1],
  [10, 0],
  [19, 0],
  [20, 1],
  [30, 3],
  [99, 3],
])('at step %d the item at position %d is shown, never a later one', (step, at) => {
  expect(atOrBefore([10, 20, 30, 30], step)).toBe(at)
})

test('steps that were logged out of order are found as well', () => {
  expect(atOrBefore([30, 10, 20], 25)).toBe(2)
  expect(atOrBefore([30, 10, 20], 40)).toBe(0)
})

test('nothing was logged', () => {
  expect(atOrBefore([], 5)).toBe(-1)
})

test('steps of several runs are merged, each once', () => {
  expect(mergedSteps([[1, 5], [], [3, 5]])).toEqual([1, 3, 5])
})
