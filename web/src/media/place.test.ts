// Where a picture is in its box.
import { expect, test } from 'vitest'
import { at, panned, pixelAt, placed, seen, WHOLE, zoomed } from './place'

const BOX = { width: 200, height: 100 }
const SQUARE = { width: 50, height: 50 }

test('the whole picture is in the centre of its box', () => {
  expect(placed(WHOLE, BOX, SQUARE)).toEqual({ left: 50, top: 0, width: 100, height: 100 })
  expect(seen(WHOLE, BOX, SQUARE)).toBeNull()
})

test('a large scale covers the box, and its edges are where panning ends', () => {
  const zoom = { scale: 8, x: 0, y: 1 }
  expect(placed(zoom, BOX, SQUARE)).toEqual({ left: 0, top: -300, width: 400, height: 400 })
  expect(seen(zoom, BOX, SQUARE)).toEqual({ left: 0, top: 0.75, width: 0.5, height: 0.25 })
  const moved = panned(zoom, [1000, 10], BOX, SQUARE)
  expect(placed(moved, BOX, SQUARE)).toEqual({ left: 0, top: -290, width: 400, height: 400 })
})

test('zooming keeps the point under the pointer', () => {
  const point = [80, 30] as const
  const before = at(point, placed(WHOLE, BOX, SQUARE))
  const near = zoomed(WHOLE, 4, point, BOX, SQUARE)
  const after = at(point, placed(near, BOX, SQUARE))
  expect(near.scale).toBe(8)
  expect(after?.[0]).toBeCloseTo(before?.[0] ?? -1)
  expect(after?.[1]).toBeCloseTo(before?.[1] ?? -1)
  expect(zoomed(near, 0.01, point, BOX, SQUARE)).toEqual(WHOLE)
})

test('the pixel under a point is inside of the picture, or none', () => {
  const rect = placed(WHOLE, BOX, SQUARE)
  expect(at([49, 10], rect)).toBeNull()
  expect(at([150, 10], rect)).toBeNull()
  expect(pixelAt(at([149.9, 99.9], rect) ?? [0, 0], SQUARE)).toEqual([49, 49])
  expect(pixelAt([1, 1], SQUARE)).toEqual([49, 49])
})
