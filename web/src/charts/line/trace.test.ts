// Strokes break where they must, and thinning them does not change the picture.
import { expect, test } from 'vitest'
import { lineOf, loss, random } from './waves'
import { curvesOf, placesIn } from './curves'
import { Scale } from '../plot/scale'
import { stroke, strokeThinned, traceArea, traceCurve } from './trace'
import type { Sink } from '../plot/ink'
import type { Line } from './types'

/** Keeps strokes as lists of points. */
class Recorder implements Sink {
  readonly strokes: [number, number][][] = []
  readonly dots: [number, number][] = []
  closed = 0

  moveTo(x: number, y: number): void {
    this.strokes.push([[x, y]])
  }

  lineTo(x: number, y: number): void {
    this.strokes.at(-1)?.push([x, y])
  }

  arc(x: number, y: number): void {
    this.strokes.pop()
    this.dots.push([x, y])
  }

  closePath(): void {
    this.closed++
  }
}

function record(draw: (sink: Sink) => void): Recorder {
  const recorder = new Recorder()
  draw(recorder)
  return recorder
}

/** Which rows of each pixel column ink falls on, found the slow way: by walking along every stroke. */
function inked(strokes: readonly (readonly [number, number])[][]): Map<number, [number, number]> {
  const columns = new Map<number, [number, number]>()
  const touch = (x: number, y: number) => {
    const column = Math.floor(x)
    const [low, high] = columns.get(column) ?? [Infinity, -Infinity]
    columns.set(column, [Math.min(low, y), Math.max(high, y)])
  }
  for (const points of strokes) {
    points.forEach(([x, y], i) => {
      touch(x, y)
      const next = points[i + 1]
      if (next === undefined) return
      for (let k = 1; k < 50; k++) touch(x + ((next[0] - x) * k) / 50, y + ((next[1] - y) * k) / 50)
    })
  }
  return columns
}

function noise(count: number, width: number, seed: number): [Float64Array, Float64Array] {
  const next = random(seed)
  const x = Float64Array.from({ length: count }, () => next() * width).sort()
  const y = Float64Array.from({ length: count }, () => (next() < 0.002 ? NaN : next() * 100))
  return [x, y]
}

test.each([
  [500, 40],
  [5000, 100],
  [300, 300],
])('%d points on %d columns look the same thinned', (count, width) => {
  const [x, y] = noise(count, width, count)
  // The slow twin: every point, one stroke between two NaN.
  const all = inked(
    record((sink) => {
      let isDown = false
      for (let i = 0; i < count; i++) {
        const [px, py] = [x[i] as number, y[i] as number]
        if (isDown && !Number.isNaN(py)) sink.lineTo(px, py)
        else if (!Number.isNaN(py)) sink.moveTo(px, py)
        isDown = !Number.isNaN(py)
      }
    }).strokes,
  )
  for (const draw of [stroke, strokeThinned]) {
    const thinned = record((sink) => {
      draw(sink, x, y, count, 1)
    })
    const drawn = inked(thinned.strokes)
    for (const [column, [low, high]] of all) {
      const [ownLow, ownHigh] = drawn.get(column) ?? [NaN, NaN]
      const dots = thinned.dots.filter(([at]) => Math.floor(at) === column).map(([, at]) => at)
      // Strokes that cross into the next column may do so at another height, by less than the walk's stride sees.
      expect(Math.abs(Math.min(ownLow, ...dots) - low) || 0).toBeLessThan(3)
      expect(Math.abs(Math.max(ownHigh, ...dots) - high) || 0).toBeLessThan(3)
    }
    const points = thinned.strokes.reduce((sum, one) => sum + one.length, 0)
    expect(points).toBeLessThanOrEqual(count)
    if (draw === strokeThinned) expect(points).toBeLessThanOrEqual(4 * (width + 20))
  }
})

test('extremes of a crowded column are kept to the digit', () => {
  const x = Float64Array.of(0.1, 0.2, 0.3, 0.4, 0.5, 1.5)
  const y = Float64Array.of(5, 9, 7, 1, 4, 4)
  expect(
    record((sink) => {
      strokeThinned(sink, x, y, 6, 1)
    }).strokes,
  ).toEqual([
    [
      [0.1, 5],
      [0.2, 9],
      [0.4, 1],
      [0.5, 4],
      [1.5, 4],
    ],
  ])
})

test.each([stroke, strokeThinned])('NaN interrupts the stroke, and an isolated point is a dot', (draw) => {
  const x = Float64Array.of(0, 10, 20, 30, 40, 50, 60)
  const y = Float64Array.of(1, 2, NaN, 3, NaN, 4, 5)
  const drawn = record((sink) => {
    draw(sink, x, y, 7, 1)
  })
  expect(drawn.strokes.filter((points) => points.length > 1)).toEqual([
    [
      [0, 1],
      [10, 2],
    ],
    [
      [50, 4],
      [60, 5],
    ],
  ])
  expect(drawn.dots).toEqual([[30, 3]])
})

test('points that go one way inside a pixel become one stroke', () => {
  const x = Float64Array.of(0.1, 0.3, 0.5, 0.7, 1.2)
  const y = Float64Array.of(1, 2, 3, 4, 5)
  expect(
    record((sink) => {
      stroke(sink, x, y, 5, 1)
    }).strokes,
  ).toEqual([
    [
      [0.1, 1],
      [0.7, 4],
      [1.2, 5],
    ],
  ])
})

const axes = { x: new Scale('linear', [0, 100], 0, 100), y: new Scale('linear', [0, 10], 10, 0), pixel: 1 }

function traced(
  line: Line,
  which: 'raw' | 'main' = 'main',
  marks: Parameters<typeof curvesOf>[0]['marks'] = [],
  partition = true,
): Recorder {
  const [curve] = curvesOf({ lines: [line], bands: [], marks }, partition)
  if (curve === undefined) throw new Error('no curve')
  return record((sink) => {
    traceCurve(sink, curve, which, placesIn(curve, axes.x.domain), axes)
  })
}

function plain(x: number[], y: number[], smoothed: number[] | null = null): Line {
  const wave = { x: Float64Array.from(x), y: Float32Array.from(y), smoothed: Float32Array.from(smoothed ?? []) }
  return lineOf('line', wave, {}, smoothed !== null)
}

test('the main line is the smoothed one, and neighbours outside let it reach the edge', () => {
  const line: Line = { ...plain([10, 20], [1, 2], [3, 4]), before: [-5, 8, 9], after: [120, 7, null] }
  expect(traced(line).strokes).toEqual([
    [
      [-5, 1],
      [10, 7],
      [20, 6],
      [120, 3],
    ],
  ])
  expect(traced(line, 'raw').strokes).toEqual([
    [
      [-5, 2],
      [10, 9],
      [20, 8],
      [120, 3],
    ],
  ])
})

test('a step back begins a new line only if these are parted', () => {
  const line = plain([10, 40, 20, 60], [1, 2, 3, 4])
  expect(traced(line).strokes.map((points) => points.map(([x]) => x))).toEqual([
    [10, 40],
    [20, 60],
  ])
  expect(traced(line, 'main', [], false).strokes).toHaveLength(1)
})

test('no line crosses a gap in its file', () => {
  const line = plain([10, 20, 60, 70], [1, 2, 3, 4])
  const gap = { kind: 'gap', x: 20, to: 60, key: 'line', label: '' } as const
  expect(traced(line, 'main', [gap]).strokes.map((points) => points.map(([x]) => x))).toEqual([
    [10, 20],
    [60, 70],
  ])
  expect(traced(line, 'main', [{ ...gap, key: 'other' }]).strokes).toHaveLength(1)
})

test('pixel columns are drawn from first to last through min and max', () => {
  const extent = (first: number[], min: number[], max: number[], last: number[]) => ({
    first: Float32Array.from(first),
    min: Float32Array.from(min),
    max: Float32Array.from(max),
    last: Float32Array.from(last),
  })
  const line: Line = {
    ...plain([], []),
    data: {
      kind: 'columns',
      xFirst: Int32Array.of(0, 10, 20, 30),
      xLast: Int32Array.of(8, 10, 28, 38),
      count: Int32Array.of(9, 1, 5, 9),
      flags: Uint8Array.of(0, 0, 1, 0),
      raw: extent([2, 4, NaN, 5], [1, 4, NaN, 0], [6, 4, NaN, 5], [3, 4, NaN, 1]),
      smoothed: null,
    },
  }
  expect(traced(line).strokes).toEqual([
    [
      [0, 8],
      [4, 9],
      [4, 4],
      [8, 7],
      [10, 6],
    ],
    [
      [30, 5],
      [34, 5],
      [34, 10],
      [38, 9],
    ],
  ])
})

test('only what is in range is looked at, and one more on each side', () => {
  const [curve] = curvesOf({ lines: [lineOf('l', loss(1, 101, 1000))], bands: [], marks: [] }, true)
  if (curve === undefined) throw new Error('no curve')
  expect(placesIn(curve, [200, 300])).toEqual([19, 32])
  expect(placesIn(curve, [-10, 2000])).toEqual([0, 101])
  expect(placesIn({ ...curve, isSorted: false }, [200, 300])).toEqual([0, 101])
})

test('an area is closed, and parted where an edge is missing', () => {
  const x = Float64Array.of(0, 1, 2, 3, 4)
  const [low, high] = [Float64Array.of(1, 1, NaN, 1, 1), Float64Array.of(2, 2, 2, 2, 2)]
  const drawn = record((sink) => {
    traceArea(sink, x, x, low, high, [0, 5], axes)
  })
  expect(drawn.closed).toBe(2)
  expect(drawn.strokes[0]).toEqual([
    [0, 8],
    [0, 8],
    [1, 8],
    [1, 9],
    [0, 9],
  ])
})
