// The page smooths as the core does, also lines that grow.
import { expect, test } from 'vitest'
import type { Numbers } from './numbers'
import { Ema, emaWeight } from './smooth'

interface Case {
  readonly weight: number
  readonly values: readonly (number | string)[]
  readonly smoothed: readonly (number | string)[]
}

const FILES = import.meta.glob<readonly Case[]>('../../../tests/golden/smoothing.json', {
  eager: true,
  import: 'default',
})
const CASES = Object.values(FILES)
  .flat()
  .map(({ weight, values, smoothed }) => ({ weight, values: values.map(Number), smoothed: smoothed.map(Number) }))

function expectNear(found: Numbers, expected: readonly number[]): void {
  expect(found).toHaveLength(expected.length)
  expected.forEach((value, n) => {
    if (Number.isFinite(value)) expect(Math.abs((found[n] ?? NaN) - value)).toBeLessThanOrEqual(1e-13 * Math.abs(value))
    else expect(found[n]).toBe(value)
  })
}

test('the golden file has cases', () => {
  expect(CASES.length).toBeGreaterThan(10)
})

test.each(CASES)('$weight of $values.length values (%#)', ({ weight, values, smoothed }) => {
  expectNear(new Ema(weight).of(Float32Array.from(values)), smoothed)
})

test.each(CASES)(
  '$weight of $values.length values that come one after the other (%#)',
  ({ weight, values, smoothed }) => {
    const ema = new Ema(weight)
    const y = Float32Array.from(values)
    let found: Numbers = y
    for (let n = 0; n <= y.length; n++) found = ema.of(y.subarray(0, n))
    expectNear(found, smoothed)
  },
)

test('lines of several weights do not mix', () => {
  const [first, second] = CASES.filter(({ values, weight }) => values.length === 100 && weight > 0)
  if (first === undefined || second === undefined) throw new Error('no such cases')
  const emas = [first, second].map(({ weight }) => new Ema(weight))
  for (const length of [20, 60, 100]) for (const ema of emas) ema.of(Float32Array.from(first.values.slice(0, length)))
  ;[first, second].forEach(({ values, smoothed }, at) => {
    expectNear(emas[at]?.of(Float32Array.from(values)) ?? new Float32Array(), smoothed)
  })
})

test.each([
  ['ema:0.6', 0.6],
  ['ema:0', 0],
  ['ema:1', 1],
  ['ema:.5', 0.5],
  ['ema:2', null],
  ['ema:', null],
  ['ema:x', null],
  ['none', null],
  ['twema:0.6', null],
  ['mean:5', null],
])('%s has the weight %s', (smoothing, weight) => {
  expect(emaWeight(smoothing)).toBe(weight)
})
