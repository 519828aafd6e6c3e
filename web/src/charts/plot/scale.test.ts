// Values become pixels and come back, on every kind of axis.
import { expect, test } from 'vitest'
import { panned, Scale, zoomed } from './scale'

test.each([
  ['linear', [-5, 20], 1],
  ['log', [1e-6, 1e4], 1],
  ['symlog', [-1e4, 1e5], 10],
] as const)('%s: the ends are at the ends, and every pixel has its value', (kind, domain, knee) => {
  const scale = new Scale(kind, domain, 200, 10, knee)
  expect(scale.at(domain[0])).toBeCloseTo(200, 9)
  expect(scale.at(domain[1])).toBeCloseTo(10, 9)
  for (const pixel of [10, 55.5, 123, 200]) expect(scale.at(scale.value(pixel))).toBeCloseTo(pixel, 9)
})

test('a symmetric axis treats both signs alike', () => {
  const scale = new Scale('symlog', [-1000, 1000], 0, 100, 1)
  expect(scale.at(0)).toBeCloseTo(50, 9)
  expect(scale.at(30) + scale.at(-30)).toBeCloseTo(100, 9)
})

test('what is not finite has no pixel, what has no logarithm is far below, and distant values stay in reach', () => {
  const log = new Scale('log', [1, 100], 100, 0)
  expect([NaN, Infinity, -Infinity].map((value) => log.at(value))).toEqual([NaN, NaN, NaN])
  expect(log.at(0)).toBeGreaterThan(10_000)
  const linear = new Scale('linear', [0, 1], 100, 0)
  expect(linear.at(1e300)).toBe(-16000)
  expect(linear.at(-1e300)).toBe(16000)
})

test.each(['linear', 'log', 'symlog'] as const)('%s: a column is projected as its values are', (kind) => {
  const scale = new Scale(kind, [0.5, 64], 300, 0, 1)
  const values = Float32Array.from([0.5, 1, NaN, 7.25, Infinity, -3, 1e30])
  const out = new Float64Array(9).fill(-1)
  scale.project(values, 1, 7, out, 2)
  expect([...out]).toEqual([-1, -1, ...[...values.subarray(1)].map((value) => scale.at(value)), -1])
})

test('zooming keeps the value under the pointer, panning moves all by the same', () => {
  for (const kind of ['linear', 'log', 'symlog'] as const) {
    const scale = new Scale(kind, [1, 1000], 46, 400, 1)
    const nearer = new Scale(kind, zoomed(scale, 120, 0.5), 46, 400, 1)
    expect(nearer.at(scale.value(120))).toBeCloseTo(120, 6)
    const moved = new Scale(kind, panned(scale, 30), 46, 400, 1)
    expect(moved.at(scale.value(200))).toBeCloseTo(230, 6)
  }
})

test('a range without width is centred', () => {
  expect(new Scale('linear', [3, 3], 0, 100).at(3)).toBe(50)
})
