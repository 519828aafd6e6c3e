// Points come behind those that are there, without copying them each time.
import { expect, test } from 'vitest'
import type { Numbers } from '../../lib/numbers'
import type { Points } from '../../lib/traces'
import { grown } from './grow'

function points(x: Numbers, y: Numbers, smoothed: Numbers | null = null): Points {
  return { kind: 'points', x, y, smoothed }
}

test('what was sent by the server is not written to', () => {
  const sent = Int32Array.of(0, 1, 2, 9, 9)
  const line = grown(
    points(sent.subarray(0, 3), new Float32Array(3)),
    3,
    points(Int32Array.of(3), Float32Array.of(0.5)),
  )
  expect([...line.x]).toEqual([0, 1, 2, 3])
  expect([...sent]).toEqual([0, 1, 2, 9, 9])
})

test('points that changed are replaced', () => {
  const line = grown(
    points(Int32Array.of(0, 1), Float32Array.of(1, 2), Float64Array.of(1, 1.5)),
    1,
    points(Int32Array.of(1, 2), Float32Array.of(2, 4), Float64Array.of(2, 3)),
  )
  expect([...line.x]).toEqual([0, 1, 2])
  expect([...(line.smoothed ?? [])]).toEqual([1, 2, 3])
})

test('memory is taken seldom, however often points come', () => {
  let line = points(new Int32Array(1), new Float32Array(1))
  const buffers = new Set<ArrayBuffer>()
  for (let n = 1; n < 10_000; n++) {
    line = grown(line, n, points(Int32Array.of(n), Float32Array.of(n)))
    buffers.add(line.x.buffer)
  }
  expect(buffers.size).toBeLessThanOrEqual(10)
  expect(line.x).toHaveLength(10_000)
  expect([...line.x]).toEqual(Array.from({ length: 10_000 }, (_, n) => n))
})

test.each([
  [Int32Array.of(1), Uint32Array.of(4_000_000_000)],
  [Float32Array.of(0.5), Float64Array.of(0.1)],
  [Int32Array.of(16_777_217), Float32Array.of(0.5)],
])('columns of other types become doubles, which hold both (%#)', (head, tail) => {
  const line = grown(points(head, new Float32Array(1)), 1, points(tail, new Float32Array(1)))
  expect([...line.x]).toEqual([...head, ...tail])
})
