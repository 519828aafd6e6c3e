// Adjustments of values.
import { expect, test } from 'vitest'
import { adjusted, falseColour, isPlain, tables } from './adjust'

const PLAIN = { brightness: 0, contrast: 1, gamma: 1 }

test('without adjustment values stay, and the table is a line', () => {
  expect([0, 0.25, 1].map((value) => adjusted(value, PLAIN))).toEqual([0, 0.25, 1])
  expect(isPlain(PLAIN)).toBe(true)
  const [red, green] = tables(PLAIN, 'none')
  const numbers = red.split(' ').map(Number)
  expect(numbers).toHaveLength(65)
  expect(numbers[16]).toBe(0.25)
  expect(green).toBe(red)
})

test('gamma bends, contrast stretches around the centre, brightness moves, and all is clipped', () => {
  expect(adjusted(0.25, { ...PLAIN, gamma: 2 })).toBe(0.5)
  expect(adjusted(0.75, { ...PLAIN, contrast: 2 })).toBe(1)
  expect(adjusted(0.625, { ...PLAIN, contrast: 2 })).toBe(0.75)
  expect(adjusted(0.5, { ...PLAIN, brightness: -0.75 })).toBe(0)
})

test('false colours go through their stops', () => {
  const hex = (name: Parameters<typeof falseColour>[0], value: number): string =>
    falseColour(name, value)
      .map((part) =>
        Math.round(part * 255)
          .toString(16)
          .padStart(2, '0'),
      )
      .join('')
  expect([hex('viridis', 0), hex('viridis', 0.5), hex('viridis', 1)]).toEqual(['440154', '21918c', 'fde725'])
  expect([hex('magma', 2), hex('signed', 0.5), hex('turbo', -1)]).toEqual(['fcfdbf', 'f6f5f1', '30123b'])
  const [red, green, blue] = tables(PLAIN, 'magma')
  expect([red, green, blue].map((text) => Number(text.split(' ')[64]).toFixed(2))).toEqual(['0.99', '0.99', '0.75'])
})
