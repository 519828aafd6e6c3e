// Answers for series become views on the frame, and what does not fit it is refused.
import { expect, test } from 'vitest'
import { decodeFrame, type Frame } from './columns'
import { parseSeries } from './series'

const FRAMES = import.meta.glob<string>('../../../tests/golden/frames/series.kymf', {
  eager: true,
  query: '?url&inline',
  import: 'default',
})

function golden(): Frame {
  const [url = ''] = Object.values(FRAMES)
  const bytes = Uint8Array.from(atob(url.slice(url.indexOf(',') + 1)), (character) => character.charCodeAt(0))
  const frame = decodeFrame(bytes.buffer)
  // The golden frame leaves out what its bands would repeat.
  const columns = new Map(frame.columns)
  for (const name of ['median', 'iqm', 'min', 'max', 'std', 'stderr', 'q25', 'q75'])
    columns.set(`band_${name}`, Float64Array.of(1, 2))
  return { meta: frame.meta, columns }
}

function withHead(change: Readonly<Record<string, unknown>>): Frame {
  const frame = golden()
  const [first, ...others] = frame.meta.series as Record<string, unknown>[]
  return { ...frame, meta: { ...frame.meta, series: [{ ...first, ...change }, ...others] } }
}

test('the golden frame comes out as lines, bands and what is not sent', () => {
  const { instance, change, lines, bands, unchanged, missing } = parseSeries(golden())
  expect([instance, change]).toEqual(['f2ca1bb6c7e907d0', 41])
  expect(lines[0]).toMatchObject({
    card: 0,
    run: 'été/«本»',
    change: 40,
    generation: 3,
    points: 3,
    pointsInRange: 3,
    fromPoint: 0,
    before: null,
    after: null,
  })
  expect(lines[0]?.data).toEqual({
    kind: 'points',
    x: Int32Array.of(0, 10, 20),
    y: Float32Array.of(1.5, NaN, 0.25),
    smoothed: Float64Array.of(1.5, NaN, 0.9047619047619048),
  })
  expect(lines[1]).toMatchObject({ run: 'long', points: 1000, pointsInRange: 998, before: [0, 4, 4] })
  expect(lines[1]?.data).toMatchObject({
    kind: 'columns',
    xFirst: Int32Array.of(1, 500),
    count: Uint32Array.of(499, 499),
    flags: Uint8Array.of(0, 5),
    raw: { min: Float32Array.of(2, 1) },
    smoothed: { last: Float64Array.of(2.2, 1.1) },
  })
  expect(bands[0]).toMatchObject({
    card: 1,
    group: 0,
    runs: 2,
    x: Float64Array.of(0, 10),
    mean: Float64Array.of(1.25, 0.1),
    bootLow: null,
  })
  expect(unchanged).toEqual([
    { card: 0, run: 'quiet', group: null },
    { card: 1, run: null, group: 1 },
  ])
  expect(missing).toEqual([{ card: 0, run: 'gone', group: null, lacks: 'run' }])
})

test('nothing is copied', () => {
  const frame = golden()
  const data = parseSeries(frame).lines[0]?.data
  expect(data?.kind === 'points' && data.x.buffer).toBe(frame.columns.get('x')?.buffer)
})

test('steps of 64 bits become numbers once for all lines', () => {
  const frame = golden()
  const columns = new Map(frame.columns)
  columns.set('x', BigInt64Array.of(0n, 2n ** 53n, 2n ** 62n))
  const head = (frame.meta.series as Record<string, unknown>[])[0]
  const { lines } = parseSeries({ columns, meta: { ...frame.meta, series: [head, head] } })
  const xs = lines.map(({ data }) => (data.kind === 'points' ? data.x : null))
  expect([...(xs[0] ?? [])]).toEqual([0, 2 ** 53, 2 ** 62])
  expect(xs[1]?.buffer).toBe(xs[0]?.buffer)
})

test('x may be those of another line', () => {
  const frame = golden()
  const columns = new Map(frame.columns)
  columns.set('value', Float32Array.of(9, 9, 1, 2))
  const { lines } = parseSeries({ ...withHead({ start: 2, length: 2, x_start: 1, smoothed_start: null }), columns })
  expect(lines[0]?.data).toMatchObject({ x: Int32Array.of(10, 20), y: Float32Array.of(1, 2) })
  expect(() => parseSeries(withHead({ x_start: 1 }))).toThrow('an entry extends beyond the column: x')
})

test('a point beside the range may have a value that JSON lacks', () => {
  const { lines } = parseSeries(withHead({ after: ['Infinity', 'NaN', null] }))
  expect(lines[0]?.after).toEqual([Infinity, NaN, null])
})

test.each([
  [{ start: 2, length: 3 }, 'an entry extends beyond the column: x'],
  [{ points: 'many' }, 'meta.series[0].points is string, not a number'],
  [{ before: [1] }, 'meta.series[0].before is undefined, not a number'],
])('%j is refused', (change, message) => {
  expect(() => parseSeries(withHead(change))).toThrow(message)
})
