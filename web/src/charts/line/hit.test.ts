// What is under the pointer is what looking at every point would find.
import { expect, test } from 'vitest'
import { lineOf, loss, random } from './waves'
import { curvesOf, type Curve } from './curves'
import { nearestKey, readingsAt, strokeDistance } from './hit'
import type { Layout } from '../plot/layout'
import { Scale } from '../plot/scale'
import { firstAtLeast, nearestIndex } from '../plot/search'
import type { Band, Line } from './types'

const layout: Layout = {
  width: 500,
  height: 300,
  plot: { left: 50, top: 10, right: 490, bottom: 280 },
  x: new Scale('linear', [0, 48_000], 50, 490),
  y: new Scale('linear', [0, 3], 280, 10),
  xTicks: [],
  yTicks: [],
  marksExits: true,
}

const curvesFor = (...lines: Line[]) => curvesOf({ lines, bands: [], marks: [] }, false)

/** Distance to a curve by looking at all of it. */
function slowDistance(curve: Curve, px: number, py: number): number {
  let best = Infinity
  for (let i = 1; i < curve.x.length; i++) {
    const [ax, ay] = [layout.x.at(curve.x[i - 1] as number), layout.y.at(curve.main[i - 1] as number)]
    const [bx, by] = [layout.x.at(curve.x[i] as number), layout.y.at(curve.main[i] as number)]
    for (let k = 0; k <= 400; k++)
      best = Math.min(best, Math.hypot(ax + ((bx - ax) * k) / 400 - px, ay + ((by - ay) * k) / 400 - py))
  }
  return best
}

test('binary search finds what a scan finds', () => {
  const x = Int32Array.of(0, 10, 10, 20, 50)
  for (let value = -5; value <= 60; value++) {
    const found = x.findIndex((one) => one >= value)
    expect(firstAtLeast(x, value)).toBe(found < 0 ? 5 : found)
    const least = Math.min(...[...x].map((one) => Math.abs(one - value)))
    expect(Math.abs((x[nearestIndex(x, value)] as number) - value)).toBe(least)
  }
  expect(nearestIndex(Int32Array.of(), 3)).toBe(-1)
})

test('the nearest line is the one whose strokes are nearest', () => {
  const next = random(5)
  const curves = curvesFor(...Array.from({ length: 6 }, (_, i) => lineOf(String(i), loss(i, 8 + 7 * i))))
  for (let round = 0; round < 40; round++) {
    const [px, py] = [50 + 440 * next(), 10 + 270 * next()]
    const distances = curves.map((curve) => slowDistance(curve, px, py))
    const least = Math.min(...distances)
    const readings = readingsAt(curves, [], layout, layout.x.value(px), py)
    const key = nearestKey(curves, readings, layout, px, py)
    expect(distances[Number(key)] as number).toBeLessThan(least + 0.2)
    curves.forEach((curve, i) => {
      expect(Math.abs(strokeDistance(curve, layout, px, py, 1e9) - (distances[i] as number))).toBeLessThan(0.5)
    })
  }
})

test('a reading is of the point nearest in x, with both values', () => {
  const wave = { x: Float64Array.of(0, 100, 200), y: Float32Array.of(1, 2, 3), smoothed: Float32Array.of(0.5, 1, 1.5) }
  const [reading] = readingsAt(curvesFor(lineOf('a', wave)), [], layout, 140, 10)
  expect(reading).toMatchObject({ key: 'a', x: 100, y: 2, smoothed: 1 })
  const [raw] = readingsAt(curvesFor(lineOf('a', wave, {}, false)), [], layout, 160, 10)
  expect(raw).toMatchObject({ x: 200, y: 3, smoothed: null })
})

test('a line that ended before has nothing to say', () => {
  const curves = curvesFor(lineOf('short', loss(1, 50, 20_000)), lineOf('long', loss(2, 50)))
  const keys = (x: number) => readingsAt(curves, [], layout, x, 100).map((reading) => reading.key)
  expect(keys(19_000)).toEqual(['short', 'long'])
  expect(keys(20_500)).toEqual(['short', 'long'])
  expect(keys(30_000)).toEqual(['long'])
})

test('NaN is read as NaN and is nearest to nothing', () => {
  const wave = loss(1, 20)
  wave.y.fill(NaN)
  const curves = curvesFor(lineOf('nan', wave, {}, false), lineOf('fine', loss(2, 20)))
  const readings = readingsAt(curves, [], layout, 20_000, 100)
  expect(readings[0]?.y).toBeNaN()
  expect(nearestKey(curves, readings, layout, layout.x.at(20_000), 100)).toBe('fine')
})

test('of unsorted points the nearest on the screen is read', () => {
  const wave = {
    x: Float64Array.of(0, 40_000, 10_000, 39_000),
    y: Float32Array.of(1, 1, 2, 2),
    smoothed: Float32Array.of(),
  }
  const curves = curvesFor(lineOf('spiral', wave, {}, false))
  const [reading] = readingsAt(curves, [], layout, 39_900, layout.y.at(1.9))
  expect(reading).toMatchObject({ x: 39_000, y: 2 })
})

test('bands are read at their centre', () => {
  const x = Float64Array.of(0, 1000, 2000)
  const [low, centre, high] = [0.5, 1, 1.5].map((value) => new Float32Array(3).fill(value)) as [
    Float32Array<ArrayBuffer>,
    Float32Array<ArrayBuffer>,
    Float32Array<ArrayBuffer>,
  ]
  const band: Band = {
    key: 'g',
    label: 'g',
    x,
    centre,
    low,
    high,
    style: { colour: '#000000', dash: 'solid', role: 'lead' },
  }
  expect(readingsAt([], [band], layout, 900, layout.y.at(1))[0]).toMatchObject({ key: 'g', x: 1000, y: 1 })
})
