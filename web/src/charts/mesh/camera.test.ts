// The camera of meshes: gestures, views along axes, and where points are on the screen.
import { expect, test } from 'vitest'
import { present } from '../../lib/present'
import {
  AXIS_VIEWS,
  axisView,
  directions,
  dot,
  fitted,
  frameOf,
  LENS,
  onScreen,
  orbitFrom,
  panned,
  projection,
  START,
  turned,
  union,
  zoomed,
  type Bounds,
  type Lens,
  type Orbit,
  type Up,
} from './camera'

const BOX: Bounds = { low: [-1, 1, 10], high: [3, 5, 12] }
const FRAME = frameOf(BOX)
const SIZE = { width: 300, height: 200, ratio: 1 }
const LENSES: readonly Lens[] = [LENS, { fov: 75, isOrthographic: false }, { fov: 30, isOrthographic: true }]

const seen = (orbit: Orbit, point: readonly [number, number, number], lens = LENS, up: Up = 'z') =>
  present(onScreen(projection(orbit, FRAME, lens, up, BOX, SIZE), ...point))

test('a frame is the sphere around a box, and never has no size', () => {
  expect(FRAME).toEqual({ centre: [1, 3, 11], radius: 3 })
  expect(frameOf({ low: [2, 2, 2], high: [2, 2, 2] })).toEqual({ centre: [2, 2, 2], radius: 1 })
  expect(frameOf(null).radius).toBe(1)
  expect(union([BOX, null, { low: [0, 0, 0], high: [1, 9, 1] }])).toEqual({ low: [-1, 0, 0], high: [3, 9, 12] })
  expect(union([null])).toBeNull()
})

test.each(['y', 'z'] as const)('the directions of a camera are a right-handed system with %s up', (up) => {
  for (const [yaw, pitch] of [
    [0, 0],
    [1, 0.5],
    [-2, -1.2],
    [0.3, Math.PI / 2],
  ] as const) {
    const axes = directions({ yaw, pitch }, up)
    const { right: a, up: b, back: c } = axes
    for (const one of [a, b, c]) expect(dot(one, one)).toBeCloseTo(1)
    expect([dot(a, b), dot(b, c), dot(c, a)].map(Math.abs).every((product) => product < 1e-12)).toBe(true)
    const turn = [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]] as const
    expect(dot(turn, c)).toBeCloseTo(1)
    expect(b[up === 'z' ? 2 : 1]).toBeGreaterThanOrEqual(0)
  }
})

test.each(LENSES)('the whole frame is in the picture, whatever the lens: %j', (lens) => {
  for (const up of ['y', 'z'] as const) {
    const centre = seen(START, FRAME.centre, lens, up)
    expect(centre[0]).toBeCloseTo(150, 3)
    expect(centre[1]).toBeCloseTo(100, 3)
    for (const x of [BOX.low[0], BOX.high[0]])
      for (const y of [BOX.low[1], BOX.high[1]])
        for (const z of [BOX.low[2], BOX.high[2]]) {
          const [px, py, depth] = seen(START, [x, y, z], lens, up)
          expect(px).toBeGreaterThanOrEqual(0)
          expect(px).toBeLessThanOrEqual(300)
          expect(py).toBeGreaterThanOrEqual(0)
          expect(py).toBeLessThanOrEqual(200)
          expect(Math.abs(depth)).toBeLessThan(1)
        }
  }
})

test('what is nearer has the smaller depth, and what is behind the camera is not seen', () => {
  const { back } = directions(START, 'z')
  const near = seen(START, [1 + back[0], 3 + back[1], 11 + back[2]])
  expect(near[2]).toBeLessThan(seen(START, FRAME.centre)[2])
  const { eye, ...rest } = projection(START, FRAME, LENS, 'z', BOX, SIZE)
  const behind = [eye[0] + back[0], eye[1] + back[1], eye[2] + back[2]] as const
  expect(onScreen({ eye, ...rest }, ...behind)).toBeNull()
})

test('a drag turns what is in front with the pointer, and stops above and below', () => {
  const { back } = directions(START, 'z')
  const front = [1 + back[0], 3 + back[1], 11 + back[2]] as const
  const [x, y] = seen(START, front)
  const [right] = seen(turned(START, 10, 0), front)
  const [, lower] = seen(turned(START, 0, 10), front)
  expect(right).toBeGreaterThan(x)
  expect(lower).toBeGreaterThan(y)
  expect(turned(START, 0, 1e6).pitch).toBeCloseTo(Math.PI / 2)
  expect(turned(START, 0, -1e6).pitch).toBeCloseTo(-Math.PI / 2)
  expect(Math.abs(turned(START, 12_345, 0).yaw)).toBeLessThanOrEqual(Math.PI)
})

test.each(LENSES)('a pan moves the centre with the pointer: %j', (lens) => {
  const [x, y] = seen(panned(START, 'z', lens, 30, -20, SIZE.height), FRAME.centre, lens)
  expect(x).toBeCloseTo(180, 0)
  expect(y).toBeCloseTo(80, 0)
})

test('zoom enlarges within bounds, and fitting undoes zoom and pan but not the side', () => {
  const away = (orbit: Orbit): number => seen(orbit, [1, 3, 12])[1] - 100
  expect(away(zoomed(START, 2)) / away(START)).toBeGreaterThan(1.8)
  expect(zoomed(START, 1e9).zoom).toBe(200)
  expect(zoomed(START, 1e-9).zoom).toBe(0.02)
  const moved = panned(zoomed(turned(START, 5, 5), 3), 'z', LENS, 9, 9, 100)
  expect(fitted(moved)).toEqual({ ...moved, zoom: 1, pan: [0, 0, 0] })
})

test.each(['y', 'z'] as const)('six views look along the axes with %s up', (up) => {
  for (const [at, view] of AXIS_VIEWS.entries()) {
    const { back } = directions(axisView(START, view, up), up)
    const expected = [0, 0, 0]
    expected[Math.floor(at / 2)] = at % 2 === 0 ? 1 : -1
    back.forEach((part, axis) => {
      expect(part, view).toBeCloseTo(present(expected[axis]))
    })
  }
})

test.each(LENSES)('a logged camera is where it was logged: %j', (lens) => {
  const square = { width: 200, height: 200, ratio: 1 }
  for (const up of ['y', 'z'] as const)
    for (const [position, target] of [
      [[10, 20, 30], null],
      [
        [1, 3, 30],
        [1, 3, 11],
      ],
      [
        [9, 3, 11],
        [0, 0, 0],
      ],
    ] as const) {
      const orbit = orbitFrom(position, target, FRAME, lens, up)
      const { eye } = projection(orbit, FRAME, lens, up, BOX, square)
      eye.forEach((part, axis) => {
        expect(part).toBeCloseTo(present(position[axis]), 6)
      })
    }
  expect(orbitFrom([1, 3, 11], null, FRAME, lens, 'z')).toEqual(START)
})
