// Meshes without a graphics card, the sides of triangles, and files for other programs.
import { expect, test } from 'vitest'
import { present } from '../../lib/present'
import { frameOf, LENS, projection, START } from './camera'
import { drawFlat, MOST_FLAT, painter } from './flat'
import { toPly } from './ply'
import { edgesOf } from './renderer'
import { pointPixels, shownAs, type MeshGeometry, type Scene } from './types'

const BOUNDS = { low: [0, 0, 0], high: [1, 1, 1] } as const
const SQUARE: MeshGeometry = {
  positions: Float32Array.of(0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 1),
  colours: Uint8Array.of(255, 0, 0, 0, 255, 0, 0, 0, 255, 9, 9, 9),
  faces: Uint32Array.of(0, 1, 2, 0, 2, 3),
  bounds: BOUNDS,
}
const SIZE = { width: 100, height: 100, ratio: 1 }
const SCENE: Scene = {
  projection: projection(START, frameOf(BOUNDS), LENS, 'z', BOUNDS, SIZE),
  show: 'surface',
  colourBy: 'logged',
  domain: [0, 1],
  ramp: [
    [0, 0, 0],
    [255, 255, 255],
  ],
  tint: [1, 2, 3],
  paper: [255, 255, 255],
  pointSize: null,
  lights: null,
}

/** Writes down what is drawn. */
function sheet(): { context: CanvasRenderingContext2D; calls: string[] } {
  const calls: string[] = []
  const context = new Proxy(
    {},
    {
      get: (_, name) => () => calls.push(String(name)),
      set: () => true,
    },
  ) as CanvasRenderingContext2D
  return { context, calls }
}

const times = (calls: readonly string[], name: string): number => calls.filter((call) => call === name).length

test('surfaces and wires are triangles, clouds are points', () => {
  for (const [mesh, show, name, expected] of [
    [SQUARE, 'surface', 'fill', 2],
    [SQUARE, 'wire', 'stroke', 2],
    [SQUARE, 'points', 'fillRect', 4],
    [{ ...SQUARE, faces: new Uint32Array() }, 'surface', 'fillRect', 4],
  ] as const) {
    const { context, calls } = sheet()
    expect(drawFlat(mesh, { ...SCENE, show: shownAs(mesh, show) }, context)).toBe(1)
    expect(times(calls, name), show).toBe(expected)
  }
})

test('large meshes are drawn in part, and surfaces that would have holes as points', () => {
  const points = 4 * MOST_FLAT.points
  const cloud = {
    ...SQUARE,
    positions: new Float32Array(3 * points),
    colours: new Uint8Array(),
    faces: new Uint32Array(),
  }
  const { context, calls } = sheet()
  expect(drawFlat(cloud, SCENE, context)).toBe(0.25)
  expect(times(calls, 'fillRect')).toBe(MOST_FLAT.points)
  const surface = { ...SQUARE, faces: new Uint32Array(3 * MOST_FLAT.triangles + 3) }
  const other = sheet()
  drawFlat(surface, SCENE, other.context)
  expect([times(other.calls, 'fill'), times(other.calls, 'fillRect')]).toEqual([0, 4])
})

test('a vertex has its logged colour, that of a coordinate, or that of its run', () => {
  expect(painter(SQUARE, SCENE)(1)).toEqual([0, 255, 0])
  const faded = painter({ ...SQUARE, colours: new Uint8Array() }, { ...SCENE, tint: [0, 0, 0] })
  // From the right, the front and above, the third vertex is the farthest.
  expect(
    [0, 1, 2, 3].map((vertex) => faded(vertex)[0]).indexOf(Math.max(...[0, 1, 2, 3].map((n) => faded(n)[0]))),
  ).toBe(3)
  const byZ = painter(SQUARE, { ...SCENE, colourBy: 'z' })
  expect([byZ(0), byZ(3)]).toEqual([
    [0, 0, 0],
    [255, 255, 255],
  ])
  // A flat mesh has one colour, not none.
  expect(painter(SQUARE, { ...SCENE, colourBy: 'z', domain: [0, 0] })(0)).toEqual([0, 0, 0])
})

test('fewer points are larger', () => {
  const sizes = [1, 100, 1000, 1e6].map((points) => pointPixels(points, SCENE.projection))
  expect(sizes).toEqual([6, 3, 1.5, 1.5])
})

test('each side of a triangle is a line', () => {
  expect([...edgesOf(SQUARE.faces)]).toEqual([0, 1, 1, 2, 2, 0, 0, 2, 2, 3, 3, 0])
})

test('a file has all vertices, colours and triangles', () => {
  const file = toPly(SQUARE)
  const text = new TextDecoder('latin1').decode(file)
  const start = text.indexOf('end_header\n') + 'end_header\n'.length
  expect(text.slice(0, start)).toContain('element vertex 4')
  expect(text.slice(0, start)).toContain('element face 2')
  expect(file.length - start).toBe(4 * 15 + 2 * 13)
  const view = new DataView(file.buffer, start)
  expect(view.getFloat32(3 * 15 + 8, true)).toBe(1)
  expect(present(file[start + 15 + 13])).toBe(255)
  expect([view.getUint8(60), view.getInt32(60 + 13 + 9, true)]).toEqual([3, 3])
  expect(new TextDecoder().decode(toPly({ ...SQUARE, colours: new Uint8Array() }))).not.toContain('uchar red')
})
