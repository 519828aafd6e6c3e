// Rows of a table come out of the columns, with nothing where there is no such point.
import { expect, test } from 'vitest'
import type { Column, Frame } from './columns'
import { parseSummary } from './summary'

const NONE = -(2n ** 63n)

function frame(change: Readonly<Record<string, Column>> = {}): Frame {
  const columns: Record<string, Column> = {
    run: Uint32Array.of(1, 0),
    tag: Uint32Array.of(0, 0),
    generation: Uint32Array.of(1, 1),
    count: Uint32Array.of(3, 1),
    first_step: BigInt64Array.of(0n, 5n),
    last_step: BigInt64Array.of(2n ** 53n, 5n),
    first_wall_time: Float64Array.of(1, 2),
    last_wall_time: Float64Array.of(3, 2),
    last_value: Float64Array.of(NaN, NaN),
    finite_last: Float64Array.of(0.5, NaN),
    min: Float64Array.of(0.25, NaN),
    min_step: BigInt64Array.of(1n, NONE),
    max: Float64Array.of(0.5, NaN),
    max_step: BigInt64Array.of(0n, NONE),
    nan_count: Uint32Array.of(1, 0),
    first_nan_step: BigInt64Array.of(7n, NONE),
    ...change,
  }
  return {
    meta: { instance: 'i', change: 4, runs: ['a', 'b'], tags: ['loss'] },
    columns: new Map(Object.entries(columns)),
  }
}

test('each row names its run and tag', () => {
  const { instance, change, rows } = parseSummary(frame())
  expect([instance, change]).toEqual(['i', 4])
  expect(rows[0]).toEqual({
    run: 'b',
    tag: 'loss',
    count: 3,
    firstStep: 0,
    lastStep: 2 ** 53,
    firstTime: 1,
    lastTime: 3,
    last: NaN,
    finiteLast: 0.5,
    min: 0.25,
    minStep: 1,
    max: 0.5,
    maxStep: 0,
    nanCount: 1,
    firstNan: 7,
  })
})

test('where there is no such point there is no step', () => {
  expect(parseSummary(frame()).rows[1]).toMatchObject({
    run: 'a',
    min: NaN,
    minStep: NaN,
    maxStep: NaN,
    firstNan: null,
  })
})

test('a table without a column is refused', () => {
  const { meta, columns } = frame()
  const fewer = new Map(columns)
  fewer.delete('max')
  expect(() => parseSummary({ meta, columns: fewer })).toThrow('the frame has no column: max')
})
