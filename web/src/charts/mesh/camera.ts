// The camera that orbits a mesh: where it is, how gestures move it, and where it puts a point on the screen.

export type Vec3 = readonly [x: number, y: number, z: number]
export type Up = 'y' | 'z'

export interface Bounds {
  readonly low: Vec3
  readonly high: Vec3
}

/** What a camera looks at when nothing is panned: cards of one mesh share it, so that runs can be compared. */
export interface Frame {
  readonly centre: Vec3
  readonly radius: number
}

/** Relative to a frame, so that one camera suits meshes of any size. Angles in radians. */
export interface Orbit {
  readonly yaw: number
  readonly pitch: number
  /** 1 shows the whole frame. */
  readonly zoom: number
  /** Where the camera looks, from the centre of the frame, in its radii. */
  readonly pan: Vec3
}

export interface Lens {
  /** Vertical angle in degrees. */
  readonly fov: number
  readonly isOrthographic: boolean
}

export const LENS: Lens = { fov: 30, isOrthographic: false }
/** From the right, the front and above. */
export const START: Orbit = { yaw: -Math.PI / 3, pitch: Math.PI / 7, zoom: 1, pan: [0, 0, 0] }

const QUARTER = Math.PI / 2
const RADIANS_PER_PIXEL = 0.008
const ZOOMS: readonly [number, number] = [0.02, 200]

export function add(a: Vec3, b: Vec3): Vec3 {
  return [a[0] + b[0], a[1] + b[1], a[2] + b[2]]
}
export function sub(a: Vec3, b: Vec3): Vec3 {
  return [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}
export function scale(a: Vec3, by: number): Vec3 {
  return [a[0] * by, a[1] * by, a[2] * by]
}
export function dot(a: Vec3, b: Vec3): number {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}
export function length(a: Vec3): number {
  return Math.hypot(...a)
}

/** The smallest box around all of them; null without any. */
export function union(all: readonly (Bounds | null)[]): Bounds | null {
  let found: Bounds | null = null
  for (const one of all) {
    if (one === null) continue
    found =
      found === null
        ? one
        : {
            low: [
              Math.min(found.low[0], one.low[0]),
              Math.min(found.low[1], one.low[1]),
              Math.min(found.low[2], one.low[2]),
            ],
            high: [
              Math.max(found.high[0], one.high[0]),
              Math.max(found.high[1], one.high[1]),
              Math.max(found.high[2], one.high[2]),
            ],
          }
  }
  return found
}

export function frameOf(bounds: Bounds | null): Frame {
  if (bounds === null) return { centre: [0, 0, 0], radius: 1 }
  const radius = length(sub(bounds.high, bounds.low)) / 2
  // A single point has no size.
  return { centre: scale(add(bounds.low, bounds.high), 0.5), radius: radius > 0 ? radius : 1 }
}

/** The directions of a camera: to the right and up on the screen, and from what it looks at to the camera. */
export interface Directions {
  readonly right: Vec3
  readonly up: Vec3
  readonly back: Vec3
}

/** From a system in which z is up. */
function raised([x, y, z]: Vec3, up: Up): Vec3 {
  return up === 'z' ? [x, y, z] : [y, z, x]
}

export function directions({ yaw, pitch }: Pick<Orbit, 'yaw' | 'pitch'>, up: Up): Directions {
  const [cy, sy, cp, sp] = [Math.cos(yaw), Math.sin(yaw), Math.cos(pitch), Math.sin(pitch)]
  return {
    right: raised([-sy, cy, 0], up),
    // Not from a fixed up, which a camera right above has not.
    up: raised([-sp * cy, -sp * sy, cp], up),
    back: raised([cp * cy, cp * sy, sp], up),
  }
}

function distanceOf(orbit: Orbit, { radius }: Frame, { fov }: Lens, aspect: number): number {
  const half = (fov * Math.PI) / 360
  // The narrower side decides.
  const angle = aspect >= 1 ? half : Math.atan(Math.tan(half) * aspect)
  return radius / Math.sin(angle) / orbit.zoom
}

// --- gestures ---

function clamp(value: number, low: number, high: number): number {
  return Math.min(high, Math.max(low, value))
}

/** Between -π and π, so that links stay short. */
function wrapped(angle: number): number {
  return angle - 2 * Math.PI * Math.round(angle / (2 * Math.PI))
}

/** A drag by so many pixels: the mesh follows the pointer. */
export function turned(orbit: Orbit, dx: number, dy: number): Orbit {
  return {
    ...orbit,
    yaw: wrapped(orbit.yaw - dx * RADIANS_PER_PIXEL),
    pitch: clamp(orbit.pitch + dy * RADIANS_PER_PIXEL, -QUARTER, QUARTER),
  }
}

export function zoomed(orbit: Orbit, by: number): Orbit {
  return { ...orbit, zoom: clamp(orbit.zoom * by, ...ZOOMS) }
}

/** A drag by so many pixels of a picture that is `height` high: what is in the middle follows the pointer. */
export function panned(orbit: Orbit, up: Up, lens: Lens, dx: number, dy: number, height: number): Orbit {
  const unit: Frame = { centre: [0, 0, 0], radius: 1 }
  const visible = 2 * distanceOf(orbit, unit, lens, 1) * Math.tan((lens.fov * Math.PI) / 360)
  const perPixel = visible / Math.max(1, height)
  const { right, up: above } = directions(orbit, up)
  const moved = add(scale(right, -dx * perPixel), scale(above, dy * perPixel))
  return { ...orbit, pan: add(orbit.pan, moved) }
}

/** Everything in sight again, from the same side. */
export function fitted(orbit: Orbit): Orbit {
  return { ...orbit, zoom: 1, pan: [0, 0, 0] }
}

export const AXIS_VIEWS = ['+x', '\u2212x', '+y', '\u2212y', '+z', '\u2212z'] as const
export type AxisView = (typeof AXIS_VIEWS)[number]

/** From this side, with the other axes along the edges of the screen. */
export function axisView(orbit: Orbit, view: AxisView, up: Up): Orbit {
  const axis = 'xyz'.indexOf(view.slice(1))
  const sign = view.startsWith('+') ? 1 : -1
  const side: [number, number, number] = [0, 0, 0]
  side[axis] = sign
  const [x, y, z] = up === 'z' ? side : [side[2], side[0], side[1]]
  if (z !== 0) return { ...fitted(orbit), yaw: -QUARTER, pitch: sign * QUARTER }
  return { ...fitted(orbit), yaw: Math.atan2(y, x), pitch: 0 }
}

/** That of a logged camera; it looks at the centre if no target was logged. */
export function orbitFrom(position: Vec3, target: Vec3 | null, frame: Frame, lens: Lens, up: Up): Orbit {
  const centre = target ?? frame.centre
  const offset = sub(position, centre)
  const [x, y, z] = up === 'z' ? offset : [offset[2], offset[0], offset[1]]
  const distance = length(offset)
  if (!(distance > 0)) return START
  const orbit: Orbit = {
    yaw: Math.hypot(x, y) > 1e-9 * distance ? Math.atan2(y, x) : -QUARTER,
    pitch: Math.asin(clamp(z / distance, -1, 1)),
    zoom: 1,
    pan: scale(sub(centre, frame.centre), 1 / frame.radius),
  }
  return zoomed(orbit, distanceOf(orbit, frame, lens, 1) / distance)
}

// --- the picture ---

/** Where points are in a picture of so many pixels. */
export interface Projection extends Directions {
  /** From coordinates to clip space, column by column, as WebGL takes it. */
  readonly matrix: Float32Array<ArrayBuffer>
  readonly eye: Vec3
  /** Pixels of a length of 1 at a distance of 1, or at any distance if it is orthographic. */
  readonly pixels: number
  readonly isOrthographic: boolean
  /** Between which distances from the camera the mesh is. */
  readonly depths: readonly [near: number, far: number]
  /** In device pixels. */
  readonly width: number
  readonly height: number
  /** Device pixels for each CSS pixel. */
  readonly ratio: number
}

export interface PictureSize {
  readonly width: number
  readonly height: number
  readonly ratio: number
}

/** `bounds` are those of what is drawn: it is never cut off in depth. */
export function projection(
  orbit: Orbit,
  frame: Frame,
  lens: Lens,
  up: Up,
  bounds: Bounds | null,
  { width, height, ratio }: PictureSize,
): Projection {
  const aspect = width / Math.max(1, height)
  const axes = directions(orbit, up)
  const target = add(frame.centre, scale(orbit.pan, frame.radius))
  const distance = distanceOf(orbit, frame, lens, aspect)
  const eye = add(target, scale(axes.back, distance))
  const sphere = bounds === null ? frame : frameOf(bounds)
  const reach = length(sub(sphere.centre, target)) + 1.5 * Math.max(sphere.radius, frame.radius)
  const depth = dot(sub(eye, sphere.centre), axes.back)
  const far = distance + reach
  const near = lens.isOrthographic ? distance - reach : Math.max(distance - reach, far * 1e-3)
  const half = Math.tan((lens.fov * Math.PI) / 360)
  // How much of the length is half the height of the picture: at a distance of 1, or at the target.
  const extent = lens.isOrthographic ? distance * half : half
  const [x, y] = [1 / (extent * aspect), 1 / extent]
  const lensMatrix: LensMatrix = lens.isOrthographic
    ? [x, y, -2 / (far - near), -(far + near) / (far - near), 0, 1]
    : [x, y, -(far + near) / (far - near), (-2 * far * near) / (far - near), -1, 0]
  return {
    ...axes,
    eye,
    matrix: composed(axes, eye, lensMatrix),
    pixels: height / (2 * extent),
    isOrthographic: lens.isOrthographic,
    depths: [depth - sphere.radius, depth + sphere.radius],
    width,
    height,
    ratio,
  }
}

/** What the matrix of a lens has that is not zero. */
type LensMatrix = readonly [x: number, y: number, zz: number, zw: number, wz: number, ww: number]

/** The lens after the camera. */
function composed(
  { right, up, back }: Directions,
  eye: Vec3,
  [x, y, zz, zw, wz, ww]: LensMatrix,
): Float32Array<ArrayBuffer> {
  const rows = [
    [...scale(right, x), -dot(right, eye) * x],
    [...scale(up, y), -dot(up, eye) * y],
    [...scale(back, zz), -dot(back, eye) * zz + zw],
    [...scale(back, wz), -dot(back, eye) * wz + ww],
  ]
  const matrix = new Float32Array(16)
  rows.forEach((row, at) => {
    row.forEach((value, column) => {
      matrix[4 * column + at] = value
    })
  })
  return matrix
}

/** In device pixels from the upper left corner, with the depth: smaller is nearer. Null behind the camera. */
export function onScreen(
  { matrix: m, width, height }: Projection,
  x: number,
  y: number,
  z: number,
): readonly [x: number, y: number, depth: number] | null {
  const part = (row: number): number =>
    (m[row] ?? 0) * x + (m[row + 4] ?? 0) * y + (m[row + 8] ?? 0) * z + (m[row + 12] ?? 0)
  const w = part(3)
  if (!(w > 0)) return null
  return [((part(0) / w + 1) / 2) * width, ((1 - part(1) / w) / 2) * height, part(2) / w]
}
