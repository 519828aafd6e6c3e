// Ticks are at round numbers, inside the axis, neither too many nor too few.
import { expect, test } from 'vitest'
import { ticksOf, tickStep, xTicksOf } from './ticks'

test('steps are 1, 2 or 5 times a power of ten', () => {
  expect([0.9, 1, 2.4, 7, 30].map((span) => tickStep(span, 5))).toEqual([0.2, 0.2, 0.5, 1, 5])
})

test.each([
  [[0, 2.6], 5, [0, 0.5, 1, 1.5, 2, 2.5]],
  [[-0.1, 0.35], 5, [-0.1, 0, 0.1, 0.2, 0.3]],
  [[0.9123, 0.9127], 4, [0.9123, 0.9124, 0.9125, 0.9126, 0.9127]],
  [[1e9, 5e9], 4, [1e9, 2e9, 3e9, 4e9, 5e9]],
] as const)('%j has %d or so', (domain, count, ticks) => {
  expect(ticksOf('linear', domain, count, 1)).toEqual(ticks)
})

test.each([
  [[1e-6, 0.1], 6, [1e-6, 1e-5, 1e-4, 1e-3, 0.01, 0.1]],
  [[0.5, 60], 6, [0.5, 1, 2, 5, 10, 20, 50]],
  [[0.21, 0.36], 4, [0.25, 0.3, 0.35]],
  [[1e-30, 1e10], 5, [1e-30, 1e-24, 1e-18, 1e-12, 1e-6, 1, 1e6]],
] as const)('logarithmic %j has powers of ten, or parts of them', (domain, count, ticks) => {
  expect(ticksOf('log', domain, count, 1)).toEqual(ticks)
})

test('symmetric axes have zero in the centre of their decades', () => {
  expect(ticksOf('symlog', [-1200, 1200], 6, 1)).toEqual([-1000, -100, -10, -1, 0, 1, 10, 100, 1000])
})

test('steps are whole, however near one looks', () => {
  expect(xTicksOf('step', 'linear', [10, 12.4], 6, 1)).toEqual([10, 11, 12])
})

test.each([
  [
    [0, 100],
    [0, 30, 60, 90],
  ],
  [
    [0, 9000],
    [0, 1800, 3600, 5400, 7200, 9000],
  ],
  [
    [0, 400],
    [0, 120, 240, 360],
  ],
  [
    [0, 0.4],
    [0, 0.1, 0.2, 0.3, 0.4],
  ],
  [
    [0, 40 * 86400],
    [0, 10 * 86400, 20 * 86400, 30 * 86400, 40 * 86400],
  ],
] as const)('durations over %j are round on a clock', (domain, ticks) => {
  expect(xTicksOf('duration', 'linear', domain, 4, 1)).toEqual(ticks)
})

test.each([
  [2 * 3600, (date: Date) => date.getMinutes() % 30 === 0 && date.getSeconds() === 0],
  [3 * 86400, (date: Date) => date.getHours() === 0 && date.getMinutes() === 0],
  [300 * 86400, (date: Date) => date.getDate() === 1 && date.getHours() === 0],
  [3000 * 86400, (date: Date) => date.getMonth() === 0 && date.getDate() === 1],
])('dates over %d seconds are round on the wall', (span, isRound) => {
  const start = 1_790_000_123
  const ticks = xTicksOf('date', 'linear', [start, start + span], 4, 1)
  expect(ticks.length).toBeGreaterThan(1)
  expect(ticks.length).toBeLessThan(13)
  for (const tick of ticks) {
    expect(isRound(new Date(tick * 1000))).toBe(true)
    expect(tick).toBeGreaterThanOrEqual(start)
    expect(tick).toBeLessThanOrEqual(start + span)
  }
})

test('times that no calendar has, have no ticks', () => {
  expect(xTicksOf('date', 'linear', [1e15, 2e15], 4, 1)).toEqual([])
})

test('where numbers are too coarse for ticks there are none, and the search ends', () => {
  expect(ticksOf('linear', [1 - 1.2e-16, 1], 5, 1)).toEqual([])
  expect(ticksOf('linear', [1e17, 1e17 + 64], 5, 1)).toEqual([])
})

test('however odd the axis, the ticks are inside it and in order', () => {
  for (const kind of ['linear', 'log', 'symlog'] as const) {
    for (const domain of [
      [1e-12, 3e-12],
      [0.1, 0.100001],
      [5, 1e18],
      [1e-300, 1e300],
    ] as const) {
      const ticks = ticksOf(kind, domain, 5, 1)
      expect(ticks.length).toBeLessThan(40)
      expect(ticks).toEqual([...ticks].sort((a, b) => a - b))
      for (const tick of ticks) {
        const little = 1e-6 * (domain[1] - domain[0])
        expect(tick).toBeGreaterThanOrEqual(domain[0] - little)
        expect(tick).toBeLessThanOrEqual(domain[1] + little)
      }
    }
  }
})
