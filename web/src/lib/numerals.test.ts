// Numbers as they are shown in tooltips, tables and titles.
import { expect, test } from 'vitest'
import { change, duration, percent, step, value, values } from './numerals'

test.each([
  [0.26271, '0.2627'],
  [1.25, '1.25'],
  [2, '2'],
  [0, '0'],
  [-0.5, '−0.5'],
  [0.99999, '1'],
  [999.96, '1,000'],
  [1234.5, '1,235'],
  [9999.6, '10k'],
  [12345, '12.35k'],
  [3.1e9, '3.1G'],
  [0.0073, '0.0073'],
  [0.00099999, '0.001'],
  [1e-4, '100µ'],
  [1.0239e-4, '102.4µ'],
  [3e-12, '3p'],
  [1.2e-40, '1.2×10⁻⁴⁰'],
  [2e30, '2×10³⁰'],
  [9.87654e20, '987.7E'],
  [-9.87654e21, '−9.877×10²¹'],
  [1e-30, '1×10⁻³⁰'],
  [NaN, 'NaN'],
  [Infinity, '∞'],
  [-Infinity, '−∞'],
])('%d is written %s', (number, expected) => {
  expect(value(number)).toBe(expected)
})

test.each([
  [
    [0.763, 0.9024],
    ['0.7630', '0.9024'],
  ],
  [
    [1.5, 2, -3],
    ['1.5', '2.0', '−3.0'],
  ],
  [
    [1, 3, 0],
    ['1', '3', '0'],
  ],
  [
    [1234.5, 12.25],
    ['1,234.5', '12.3'],
  ],
  [
    [0.5, 0.25, NaN, Infinity, 2e6],
    ['0.50', '0.25', 'NaN', '∞', '2M'],
  ],
  [
    [1000, 0.002],
    ['1,000', '0.002'],
  ],
  [
    [-0.00001, 1.25],
    ['−10µ', '1.25'],
  ],
])('the column %j is written %j', (numbers, expected) => {
  expect(values(numbers)).toEqual(expected)
})

test.each([
  [0.0114, '+0.0114'],
  [-0.0114, '−0.0114'],
  [0, '0'],
])('the change %d is written %s', (number, expected) => {
  expect(change(number)).toBe(expected)
})

test('a share is written in percent, and one of nothing is not', () => {
  expect(percent(0.125)).toBe('+12.5 %')
  expect(percent(-1 / 0)).toBe('–')
})

test('steps have thousands commas', () => {
  expect(step(31250)).toBe('31,250')
  expect(step(-1234567)).toBe('−1,234,567')
})

test.each([
  [0, '0 s'],
  [0.85, '850 ms'],
  [14.23, '14.2 s'],
  [59.97, '1 m'],
  [200, '3 m 20 s'],
  [8040, '2 h 14 m'],
  [7200, '2 h'],
  [274_000, '3 d 4 h'],
  [-14.2, '−14.2 s'],
])('%d seconds are written %s', (seconds, expected) => {
  expect(duration(seconds)).toBe(expected)
})
