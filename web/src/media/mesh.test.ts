// Logged meshes in the terms of the charts.
import { expect, test } from 'vitest'
import { frameOf, START } from '../charts/mesh/camera'
import { countText, lensOf, lightsOf, showOf, startOf } from './mesh'

const FRAME = frameOf({ low: [-1, -1, -1], high: [1, 1, 1] })
const WHITE = { colour: '#ffffff', intensity: 0.5 }

test('vertices and points are counted, and a part of them is said to be one', () => {
  const mesh = (vertices: number, points: number, triangles = 0, drawn = triangles) => ({
    vertices,
    positions: new Float32Array(3 * points),
    triangles,
    faces: new Uint32Array(3 * drawn),
  })
  expect(countText(mesh(2704, 2704, 5202))).toBe('2,704 vertices')
  expect(countText(mesh(1, 1, 1))).toBe('1 vertex')
  expect(countText(mesh(1, 1))).toBe('1 point')
  expect(countText(mesh(4000, 1000))).toBe('1,000 of 4,000 points drawn (25 %)')
  expect(countText(mesh(10, 9, 8))).toBe('9 of 10 vertices drawn (90 %)')
  expect(countText(mesh(9000, 3000, 4000, 1000))).toBe('1,000 of 4,000 triangles drawn (25 %)')
})

test('a camera is used as logged, and one that was not has a view from a corner', () => {
  const camera = { is_orthographic: true, fov: 50, position: [0, 0, 9] as const, target: null }
  expect(lensOf({ camera })).toEqual({ fov: 50, isOrthographic: true })
  expect(startOf({ camera }, FRAME, 'z').pitch).toBeCloseTo(Math.PI / 2)
  expect(startOf({ camera: { ...camera, position: null } }, FRAME, 'z')).toEqual(START)
  expect(lensOf({ camera: null })).toEqual({ fov: 30, isOrthographic: false })
})

test('a wire frame is one if it was logged so and nothing else is chosen', () => {
  const material = { size: null, is_wireframe: true, colour: null }
  expect([showOf({ material }, null), showOf({ material }, 'surface')]).toEqual(['wire', 'surface'])
  expect(showOf({ material: null }, null)).toBe('surface')
})

test('logged lights are added up, and without any there is the usual one', () => {
  const toRgb = (): readonly [number, number, number] => [255, 0, 51]
  const lights = [
    { is_ambient: true, position: null, ...WHITE },
    { is_ambient: true, position: null, ...WHITE },
    { is_ambient: false, position: [0, -1, 2] as const, ...WHITE },
  ]
  const found = lightsOf({ lights }, toRgb)
  expect(found?.ambient.map((part) => Number(part.toFixed(3)))).toEqual([1, 0, 0.2])
  expect(found?.beams).toEqual([{ from: [0, -1, 2], colour: [0.5, 0, 0.1] }])
  expect(lightsOf({ lights: [] }, toRgb)).toBeNull()
  expect(lightsOf({ lights: null }, toRgb)).toBeNull()
})
