// Checks how values are placed in the range of their column.
import { expect, test } from 'vitest'
import { present } from './present'
import { histogram, partOf, scaleOf, valueAt } from './scale'

test('values that span decades are placed by their logarithm', () => {
  const scale = scaleOf([1e-5, 0.1, 1e-3])
  expect(scale).toEqual({ range: [1e-5, 0.1], isLog: true })
  expect(partOf(present(scale), 1e-3)).toBeCloseTo(0.5)
  expect(valueAt(present(scale), 0.5)).toBeCloseTo(1e-3)
})

test.each([[[1, 50]], [[-1, 1000]], [[0, 1000]]])('%j are placed evenly', (values) => {
  expect(scaleOf(values)?.isLog).toBe(false)
})

test('what is not finite has no place, and nothing has no scale', () => {
  expect(scaleOf([NaN, 2, Infinity, 4])?.range).toEqual([2, 4])
  expect(scaleOf([NaN])).toBeNull()
})

test('a histogram counts every finite value once', () => {
  const values = [0, 1, 2, 3, 4, 4, NaN]
  expect(histogram(present(scaleOf(values)), values, 2)).toEqual([2, 4])
  expect(histogram({ range: [3, 3], isLog: false }, [3, 3], 4)).toEqual([0, 0, 2, 0])
})
