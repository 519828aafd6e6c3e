// Ends of an axis, typed.
import { expect, test } from 'vitest'
import { rangeFields, readNumber, readRange } from './range_fields'

test.each([
  ['12,000', 12000],
  ['12k', 12000],
  ['1e-3', 0.001],
  ['100µ', 100 * 1e-6],
  ['−2.5', -2.5],
  ['', NaN],
  ['k', NaN],
  ['abc', NaN],
])('%s is %d', (text, number) => {
  expect(readNumber(text)).toEqual(number)
})

test('a range needs two ends in order', () => {
  expect(readRange({ from: '1', to: '2' })).toEqual({ range: [1, 2], trouble: null })
  expect(readRange({ from: '', to: ' ' })).toEqual({ range: null, trouble: null })
  expect(readRange({ from: '2', to: '1' }).trouble).toBe('Min must be below max.')
  expect(readRange({ from: '2', to: '' }).trouble).toBe('Both limits must be numbers.')
})

test('what is shown can be typed again', () => {
  expect(rangeFields([0.123456789, 2e7])).toEqual({ from: '0.123457', to: '20000000' })
  expect(rangeFields(null)).toEqual({ from: '', to: '' })
})
