// Ignoring outliers hides few values, and never a line, its best value, or the shape of the data.
import { expect, test } from 'vitest'
import type { Range } from '../../lib/numbers'
import { curvesOf } from './curves'
import { domainsOf } from './domains'
import type { ChartOptions, Line } from './types'
import { withoutOutliers, type Stretch } from './outliers'
import { lineOf, loss, random } from './waves'

const OPTIONS: ChartOptions = {
  xKind: 'step',
  xScale: 'linear',
  yScale: 'linear',
  ignoreOutliers: true,
  yRange: null,
  partition: true,
  showEnvelope: true,
  showRaw: true,
  showBest: true,
}
const POINTS = 400

function line(key: string, value: (i: number) => number): Line {
  const x = Float64Array.from({ length: POINTS }, (_, i) => i)
  const y = Float32Array.from({ length: POINTS }, (_, i) => value(i))
  return lineOf(key, { x, y, smoothed: y }, {}, false)
}

function rangeOf(lines: readonly Line[], options: Partial<ChartOptions> = {}, view: Range | null = null): Range {
  const all = { ...OPTIONS, ...options }
  return domainsOf(curvesOf({ lines, bands: [], marks: [] }, true), [], all, { x: view, y: null }).y
}

function inside({ data }: Line, [low, high]: Range): number {
  const values = data.kind === 'points' ? [...data.y].filter(Number.isFinite) : []
  return values.filter((value) => value >= low && value <= high).length / values.length
}

test('spikes are counted as they are drawn: by the extremes of pixel columns', () => {
  // The last value of a column is calm, its maximum is not: a wall of clipped spikes if only last values counted.
  const calm = Float64Array.from({ length: POINTS }, (_, i) => 1 + (i % 10) / 20)
  const peaks = Float64Array.from(calm, (value, i) => (i % 20 === 7 ? 6 : value))
  const core: Range = [1, 1.5]
  const range = (stretch: Stretch): Range => withoutOutliers(core, [1, 6], [stretch], 'linear', 1)
  const all = { values: calm, from: 0, to: POINTS, best: NaN }
  expect(range(all)[1]).toBeLessThan(2)
  expect(range({ ...all, low: calm, high: peaks })[1]).toBe(6)
})

test('where every third line has a spike, spikes are shown', () => {
  const values = (spike: number) =>
    Float64Array.from({ length: POINTS }, (_, i) => (i === spike ? 6 : 1 + (i % 10) / 20))
  const range = (spiky: number): Range => {
    const stretches = Array.from({ length: 39 }, (_, at) => values(at < spiky ? 10 + 5 * at : -1))
    const all = stretches.map((one) => ({ values: one, from: 0, to: POINTS, best: NaN }))
    return withoutOutliers([1, 1.5], [1, 6], all, 'linear', 1)
  }
  expect(range(3)[1]).toBeLessThan(2)
  expect(range(13)[1]).toBe(6)
})

test('a few wild values of many are left out', () => {
  const [low, high] = rangeOf([line('a', (i) => (i === 100 ? 1e6 : 1 + (i % 10) / 10))])
  expect(low).toBeGreaterThan(0)
  expect(high).toBeLessThan(3)
})

test.each(['linear', 'log', 'symlog'] as const)(
  'every line is mostly inside, a lone one far away too (%s)',
  (yScale) => {
    const usual = Array.from({ length: 30 }, (_, n) => lineOf(`run${String(n)}`, loss(n, POINTS)))
    const high = line('high', () => 100)
    const low = line('low', (i) => 0.001 * (1 + i / POINTS))
    const range = rangeOf([...usual, high, low], { yScale })
    for (const one of [...usual, high, low]) expect(inside(one, range)).toBeGreaterThanOrEqual(0.75)
  },
)

test.each(['linear', 'log'] as const)('the best value of every line is inside (%s)', (yScale) => {
  const next = random(3)
  const lines = Array.from({ length: 20 }, (_, n) =>
    line(`run${String(n)}`, (i) => (n + 2) * Math.exp(-i / 60) + 0.3 - (i === POINTS - 1 ? 0.2 * next() : 0)),
  )
  const [low] = rangeOf(lines, { yScale, better: 'lower' })
  const best = Math.min(...lines.map(({ data }) => (data.kind === 'points' ? Math.min(...data.y) : NaN)))
  expect(low).toBeLessThanOrEqual(best)
  // The best value is the one that was logged, also where a smoothed line is drawn.
  const spike = { ...loss(1, POINTS), y: Float32Array.from({ length: POINTS }, (_, i) => (i === 300 ? 0.01 : 1)) }
  expect(rangeOf([lineOf('a', spike)], { yScale, better: 'lower' })[0]).toBeLessThanOrEqual(0.01)
})

test('one line that explodes does not squeeze the others', () => {
  const usual = Array.from({ length: 12 }, (_, n) => lineOf(`run${String(n)}`, loss(n, POINTS)))
  const broken = line('broken', (i) => (i < 320 ? 2 : 2 * Math.exp((i - 320) / 10)))
  const range = rangeOf([...usual, broken], { better: 'lower' })
  expect(range[1]).toBeLessThan(5)
  expect(inside(broken, range)).toBeGreaterThanOrEqual(0.75)
})

test('spikes that all lines have are shown, not cut off side by side', () => {
  const next = random(5)
  const lines = Array.from({ length: 10 }, (_, n) =>
    line(`run${String(n)}`, () => (next() < 0.04 ? 2 + 3 * next() : 1 + 0.2 * next())),
  )
  expect(rangeOf(lines)[1]).toBeGreaterThan(3.5)
})

test('nothing is clipped where that would save little room', () => {
  const [low, high] = rangeOf([line('ramp', (i) => i / (POINTS - 1))])
  expect([low, high]).toEqual([-0.1, 1.1])
})

test('what is out of sight does not count', () => {
  const falling = line('a', (i) => (i < 200 ? 100 : 1 + i / 1000))
  expect(rangeOf([falling], {}, [220, 399])[1]).toBeLessThan(2)
})

test('lines without a finite value have no say', () => {
  expect(rangeOf([line('nan', () => NaN), line('a', (i) => i)], { better: 'lower' })).toEqual(
    rangeOf([line('a', (i) => i)]),
  )
})
