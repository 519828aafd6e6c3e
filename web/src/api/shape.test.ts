// Answers are taken apart only if they are what they should be.
import { expect, test } from 'vitest'
import { flag, list, nullable, number, object, ShapeError, text } from './shape'

const parse = object<{ name: string; times: readonly (number | null)[]; on: boolean }>({
  name: text,
  times: list(nullable(number)),
  on: flag,
})

test('what matches the shape is returned, without additional fields', () => {
  const value = { name: 'a', times: [1, null], on: true, newer: 'field' }
  expect(parse(value, 'it')).toEqual({ name: 'a', times: [1, null], on: true })
})

test.each([
  [null, 'it is null, not an object'],
  [[], 'it is array, not an object'],
  [{ times: [], on: true }, 'it.name is undefined, not a string'],
  [{ name: 'a', times: {}, on: true }, 'it.times is object, not an array'],
  [{ name: 'a', times: [1, '2'], on: true }, 'it.times[1] is string, not a number'],
  [{ name: 'a', times: [], on: 1 }, 'it.on is number, not a boolean'],
])('%j is refused: %s', (value, message) => {
  expect(() => parse(value, 'it')).toThrow(new ShapeError(message))
})
