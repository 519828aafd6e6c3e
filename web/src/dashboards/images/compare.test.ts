// Differences of two images.
import { expect, test } from 'vitest'
import { difference } from './compare'

function grey(width: number, ...values: readonly number[]) {
  return {
    width,
    height: values.length / width,
    data: Uint8ClampedArray.from(values.flatMap((value) => [value, value, value, 255])),
  }
}

test('the mean error is that of all channels of all pixels', () => {
  const a = grey(2, 0, 10, 20, 30)
  const b = grey(2, 0, 30, 20, 20)
  expect(difference(a, b, false)).toMatchObject({ width: 2, height: 2, mean: 7.5, max: 20, count: 2 })
  expect(difference(a, b, true)).toMatchObject({ mean: 7.5, max: 20, count: 2 })
  const colour = { width: 1, height: 1, data: Uint8ClampedArray.of(0, 0, 0, 255) }
  expect(difference(colour, { ...colour, data: Uint8ClampedArray.of(30, 0, 0, 255) }, true)?.mean).toBe(10)
})

test('signed differences are blue where B is darker and red where it is brighter', () => {
  const { data } = difference(grey(3, 100, 100, 100), grey(3, 50, 100, 150), true) ?? { data: [] }
  const [red, , blue] = data
  expect(blue).toBeGreaterThan(red ?? 255)
  expect(data[8]).toBeGreaterThan(data[10] ?? 255)
  expect([...data.slice(4, 7)]).toEqual([246, 245, 241])
})

test('images that are the same have no error, and those of other sizes no difference', () => {
  expect(difference(grey(1, 7), grey(1, 7), false)).toMatchObject({ mean: 0, max: 0, count: 0 })
  expect(difference(grey(1, 7, 7), grey(2, 7, 7), false)).toBeNull()
})
