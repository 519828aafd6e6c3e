// Numbers on axes and under the cursor are written as people read them.
import { expect, test } from 'vitest'
import { dateLabels, durationLabels, logLabels, stepLabels, valueLabels, valueText, xText } from './labels'

test.each([
  [
    [0, 0.5, 1, 1.5, 2],
    ['0', '0.5', '1.0', '1.5', '2.0'],
  ],
  [
    [-0.2, -0.1, 0, 0.1],
    ['−0.2', '−0.1', '0', '0.1'],
  ],
  [
    [0, 500, 1000, 1500],
    ['0', '0.5k', '1.0k', '1.5k'],
  ],
  [
    [0.0002, 0.0004, 0.0006],
    ['200µ', '400µ', '600µ'],
  ],
  [
    [0.0005, 0.001, 0.0015],
    ['0.0005', '0.0010', '0.0015'],
  ],
  [
    [0.9123, 0.9124, 0.9125],
    ['0.9123', '0.9124', '0.9125'],
  ],
  [
    [1234.5671, 1234.5672],
    ['1,234.5671', '1,234.5672'],
  ],
  [
    [2e6, 4e6],
    ['2M', '4M'],
  ],
  [
    [1e-9, 2e-9],
    ['1n', '2n'],
  ],
  [
    [1e20, 2e20],
    ['100E', '200E'],
  ],
  [
    [0, 1e30, 2e30],
    ['0', '1×10³⁰', '2×10³⁰'],
  ],
  [
    [5e-31, 1e-30, 1.5e-30],
    ['0.5×10⁻³⁰', '1.0×10⁻³⁰', '1.5×10⁻³⁰'],
  ],
  [
    [-5e22, 0],
    ['−5×10²²', '0'],
  ],
  [[5], ['5.000']],
])('values %j are %j', (ticks, labels) => {
  expect(valueLabels(ticks)).toEqual(labels)
})

test('powers of ten that have no prefix are written as such', () => {
  expect(logLabels([1e-30, 1e-18, 1, 1e18, 1e21])).toEqual(['1×10⁻³⁰', '1a', '1', '1E', '1×10²¹'])
  expect(valueText(1.23456e30)).toBe('1.235×10³⁰')
})

test('every power of ten has its own name', () => {
  expect(logLabels([1e-6, 1e-5, 1e-4, 1e-3, 0.01, 0.1, 1, 10, 100, 1e3, 1e4, 1e6])).toEqual([
    '1µ',
    '10µ',
    '100µ',
    '0.001',
    '0.01',
    '0.1',
    '1',
    '10',
    '100',
    '1k',
    '10k',
    '1M',
  ])
})

test.each([
  [
    [0, 500, 1000, 1500],
    ['0', '500', '1,000', '1,500'],
  ],
  [
    [0, 10_000, 20_000],
    ['0', '10k', '20k'],
  ],
  [
    [10_000, 12_500, 15_000],
    ['10k', '12.5k', '15k'],
  ],
  [
    [31_250, 31_260, 31_270],
    ['31,250', '31,260', '31,270'],
  ],
  [
    [0, 500_000, 1_000_000],
    ['0', '0.5M', '1M'],
  ],
  [
    [1_200_000, 1_210_000],
    ['1.2M', '1.21M'],
  ],
  [
    [10_000_000, 10_000_100],
    ['10,000,000', '10,000,100'],
  ],
  [
    [-20_000, 0, 20_000],
    ['−20k', '0', '20k'],
  ],
  [
    [2e9, 4e9],
    ['2G', '4G'],
  ],
])('steps %j are %j', (ticks, labels) => {
  expect(stepLabels(ticks)).toEqual(labels)
})

test('no step and no tick is ever written with an exponent', () => {
  for (let power = -17; power < 20; power++) {
    for (const label of [
      ...stepLabels([10 ** power, 2 * 10 ** power]),
      ...valueLabels([10 ** power, 3 * 10 ** power]),
      valueText(-1.23456 * 10 ** power),
    ]) {
      expect(label).not.toMatch(/e[+-]?\d/)
    }
  }
})

test('neighbouring ticks never look the same', () => {
  for (const [start, step] of [
    [0, 0.25],
    [0.9, 0.005],
    [1e6, 1],
    [1e6, 2500],
    [-3, 0.001],
    [5e-7, 1e-9],
    [1e9, 50],
  ] as const) {
    const ticks = Array.from({ length: 6 }, (_, i) => start + i * step)
    expect(new Set(valueLabels(ticks)).size).toBe(6)
    if (step >= 1) expect(new Set(stepLabels(ticks)).size).toBe(6)
  }
})

test.each([
  [
    [0, 30, 60, 90],
    ['0', '30 s', '1 m', '1 m 30 s'],
  ],
  [
    [0, 1800, 3600, 5400],
    ['0', '30 m', '1 h', '1 h 30 m'],
  ],
  [
    [0, 43_200, 86_400, 129_600],
    ['0', '12 h', '1 d', '1 d 12 h'],
  ],
  [
    [0, 0.2, 0.4],
    ['0', '200 ms', '400 ms'],
  ],
  [
    [0.5, 1, 1.5],
    ['500 ms', '1 s', '1.5 s'],
  ],
])('durations %j are %j', (ticks, labels) => {
  expect(durationLabels(ticks)).toEqual(labels)
})

const at = (...parts: [number, number, number, number?, number?, number?]) => new Date(...parts).getTime() / 1000

test('dates say the hour, and the day where it begins', () => {
  expect(dateLabels([at(2026, 8, 21, 18), at(2026, 8, 22, 0), at(2026, 8, 22, 6)])).toEqual([
    '18:00',
    '22 Sep',
    '06:00',
  ])
  expect(dateLabels([at(2026, 8, 21, 18, 0, 10), at(2026, 8, 21, 18, 0, 20)])).toEqual(['18:00:10', '18:00:20'])
  expect(dateLabels([at(2026, 10, 1), at(2026, 11, 1), at(2027, 0, 1)])).toEqual(['Nov 2026', 'Dec', 'Jan 2027'])
  expect(dateLabels([at(2024, 0, 1), at(2025, 0, 1)])).toEqual(['2024', '2025'])
})

test.each([
  [0.26274, '0.2627'],
  [-0.5, '−0.5'],
  [12_345.6, '12.35k'],
  [999.99, '1,000'],
  [0.00012346, '123.5µ'],
  [0, '0'],
  [NaN, 'NaN'],
  [-Infinity, '−∞'],
])('the value %d is read as %s', (value, text) => {
  expect(valueText(value)).toBe(text)
})

test('near by, a value has more digits', () => {
  expect(valueText(0.912345678, 1e-6)).toBe('0.912346')
  expect(valueText(1234.5678, 0.001)).toBe('1,234.568')
})

test('an x is written in full', () => {
  expect(xText('step', 31_250)).toBe('31,250')
  expect(xText('step', -2_000_000)).toBe('−2,000,000')
  expect(xText('duration', 8045)).toBe('2 h 14 m 5 s')
  expect(xText('duration', 12.34)).toBe('12.3 s')
  expect(xText('date', at(2026, 10, 3, 14, 5, 30))).toBe('3 Nov 14:05:30')
  expect(xText('value', 0.1234567)).toBe('0.1235')
})
