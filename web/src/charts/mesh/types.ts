// What a mesh is made of, and how it is to be drawn.
import type { Rgb } from '../../lib/colour'
import type { Range } from '../../lib/numbers'
import type { Bounds, Projection } from './camera'

/** A point cloud, or a mesh of triangles. The object is the key under which its buffers are kept. */
export interface MeshGeometry {
  /** x, y and z of each vertex, all of them finite. */
  readonly positions: Float32Array<ArrayBuffer>
  /** Red, green and blue of each vertex; empty without colours. */
  readonly colours: Uint8Array<ArrayBuffer>
  /** Three positions of vertices for each triangle; empty for a point cloud. */
  readonly faces: Uint32Array<ArrayBuffer>
  /** Null without vertices. */
  readonly bounds: Bounds | null
}

export type Show = 'surface' | 'wire' | 'points'
export type ColourBy = 'logged' | 'x' | 'y' | 'z'

/** A light that shines from a direction; its colour has parts from 0 to 1, times its intensity. */
export interface Beam {
  readonly from: readonly [number, number, number]
  readonly colour: readonly [number, number, number]
}

export interface Lights {
  readonly ambient: readonly [number, number, number]
  readonly beams: readonly Beam[]
}

/** Everything a picture depends on beside the geometry. */
export interface Scene {
  readonly projection: Projection
  readonly show: Show
  readonly colourBy: ColourBy
  /** Of the coordinate that is the colour. */
  readonly domain: Range
  readonly ramp: readonly Rgb[]
  /** For vertices without a colour. */
  readonly tint: Rgb
  /** What is behind the mesh: the inside of a wire frame hides lines behind it. */
  readonly paper: Rgb
  /** In units of the coordinates; null for one that suits the number of points. */
  readonly pointSize: number | null
  /** Null for a light that follows the camera. */
  readonly lights: Lights | null
}

/** What is really drawn: a cloud has no faces to show. */
export function shownAs({ faces }: MeshGeometry, show: Show): Show {
  return faces.length === 0 ? 'points' : show
}

/** Diameter in pixels of a point where no size was logged: fewer points are larger. */
export function pointPixels(points: number, { width, height, ratio }: Projection): number {
  const share = Math.sqrt((width * height) / Math.max(1, points))
  return Math.min(6 * ratio, Math.max(1.5 * ratio, 0.3 * share))
}

const AXES: readonly ColourBy[] = ['x', 'y', 'z']

/** Which coordinate is the colour; -1 for none. */
export function axisOf(colourBy: ColourBy): number {
  return AXES.indexOf(colourBy)
}
