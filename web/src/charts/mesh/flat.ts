// Meshes drawn without a graphics card: fewer points and triangles, the farthest first.
import { ramp, toHex, type Rgb } from '../../lib/colour'
import { dot, onScreen, sub, type Vec3 } from './camera'
import { lightsOf } from './lighting'
import { MOST_FADED } from './shaders'
import { axisOf, pointPixels, shownAs, type Lights, type MeshGeometry, type Scene } from './types'

/** Most that is drawn: a picture should not take longer than a blink. */
export const MOST_FLAT = { points: 15_000, triangles: 8_000 } as const

interface Piece {
  readonly depth: number
  paint(context: CanvasRenderingContext2D): void
}

/** Draws onto what is in `context` already. Returns the share of the points or triangles that are drawn. */
export function drawFlat(mesh: MeshGeometry, scene: Scene, context: CanvasRenderingContext2D): number {
  // A surface with holes looks damaged; the same surface as points does not.
  const isSurface = shownAs(mesh, scene.show) !== 'points' && mesh.faces.length <= 3 * MOST_FLAT.triangles
  const [pieces, share] = isSurface ? [triangles(mesh, scene), 1] : points(mesh, scene)
  pieces.sort((a, b) => b.depth - a.depth)
  for (const piece of pieces) piece.paint(context)
  return share
}

function points(mesh: MeshGeometry, scene: Scene): [Piece[], number] {
  const total = mesh.positions.length / 3
  const stride = Math.max(1, Math.ceil(total / MOST_FLAT.points))
  const colour = painter(mesh, scene)
  const size = pointPixels(total / stride, scene.projection)
  const pieces: Piece[] = []
  for (let vertex = 0; vertex < total; vertex += stride) {
    const place = onScreen(scene.projection, ...vertexAt(mesh, vertex))
    if (place === null) continue
    const [x, y, depth] = place
    const fill = css(colour(vertex))
    pieces.push({
      depth,
      paint: (context) => {
        context.fillStyle = fill
        context.fillRect(x - size / 2, y - size / 2, size, size)
      },
    })
  }
  return [pieces, total === 0 ? 1 : Math.ceil(total / stride) / total]
}

function triangles(mesh: MeshGeometry, scene: Scene): Piece[] {
  const colour = painter(mesh, scene)
  const lights = lightsOf(scene)
  const isWire = scene.show === 'wire'
  const pieces: Piece[] = []
  for (let at = 0; at < mesh.faces.length; at += 3) {
    const corners = [0, 1, 2].map((corner) => mesh.faces[at + corner] ?? 0)
    const places = corners.map((vertex) => vertexAt(mesh, vertex))
    const shown = places.map((place) => onScreen(scene.projection, ...place))
    const [a = null, b = null, c = null] = shown
    if (a === null || b === null || c === null) continue
    const mixed = mean(corners.map(colour))
    const fill = css(isWire ? scene.paper : lit(mixed, places, lights, scene))
    const stroke = isWire ? css(mixed) : fill
    pieces.push({
      depth: (a[2] + b[2] + c[2]) / 3,
      paint: (context) => {
        context.beginPath()
        context.moveTo(a[0], a[1])
        context.lineTo(b[0], b[1])
        context.lineTo(c[0], c[1])
        context.closePath()
        context.fillStyle = fill
        context.fill()
        // Also closes the seams between triangles.
        context.strokeStyle = stroke
        context.lineWidth = isWire ? scene.projection.ratio : 0.7
        context.stroke()
      },
    })
  }
  return pieces
}

function vertexAt({ positions }: MeshGeometry, vertex: number): Vec3 {
  return [positions[3 * vertex] ?? 0, positions[3 * vertex + 1] ?? 0, positions[3 * vertex + 2] ?? 0]
}

/** The colour of each vertex, as the shader paints it. */
export function painter({ positions, colours }: MeshGeometry, scene: Scene): (vertex: number) => Rgb {
  const axis = axisOf(scene.colourBy)
  if (axis >= 0) {
    const [from, to] = scene.domain
    const stops = scene.ramp.map(toHex)
    // A few hundred shades are as many as can be seen, and a ramp is not mixed for each vertex.
    const shades = Array.from({ length: 257 }, (_, part) => hex(ramp(stops, part / 256)))
    return (vertex) => {
      const part = ((positions[3 * vertex + axis] ?? 0) - from) / Math.max(to - from, 1e-30)
      return shades[Math.round(256 * Math.min(1, Math.max(0, part)))] ?? scene.tint
    }
  }
  if (colours.length === 0) {
    const { eye, back, depths } = scene.projection
    return (vertex) => {
      const at: Vec3 = [positions[3 * vertex] ?? 0, positions[3 * vertex + 1] ?? 0, positions[3 * vertex + 2] ?? 0]
      const far = (dot(sub(eye, at), back) - depths[0]) / Math.max(depths[1] - depths[0], 1e-30)
      return blend(scene.tint, scene.paper, MOST_FADED * Math.min(1, Math.max(0, far)))
    }
  }
  return (vertex) => [colours[3 * vertex] ?? 0, colours[3 * vertex + 1] ?? 0, colours[3 * vertex + 2] ?? 0]
}

function blend(a: Rgb, b: Rgb, part: number): Rgb {
  return [a[0] + part * (b[0] - a[0]), a[1] + part * (b[1] - a[1]), a[2] + part * (b[2] - a[2])]
}

function hex(colour: string): Rgb {
  const value = Number.parseInt(colour.slice(1), 16)
  return [value >> 16, (value >> 8) & 255, value & 255]
}

function lit(colour: Rgb, [a, b, c]: readonly Vec3[], { ambient, beams }: Lights, scene: Scene): Rgb {
  if (a === undefined || b === undefined || c === undefined) return colour
  const [u, v] = [sub(b, a), sub(c, a)]
  let normal: Vec3 = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]]
  const size = Math.hypot(...normal)
  if (size === 0) return colour
  const towards = dot(normal, sub(scene.projection.eye, a)) < 0 ? -1 : 1
  normal = [(towards * normal[0]) / size, (towards * normal[1]) / size, (towards * normal[2]) / size]
  const light = [0, 1, 2].map((part) =>
    beams.reduce(
      (sum, beam) => sum + (beam.colour[part] ?? 0) * Math.max(0, dot(normal, beam.from)),
      ambient[part] ?? 0,
    ),
  )
  return [colour[0] * (light[0] ?? 1), colour[1] * (light[1] ?? 1), colour[2] * (light[2] ?? 1)]
}

function mean(colours: readonly Rgb[]): Rgb {
  const part = (at: 0 | 1 | 2): number => colours.reduce((sum, colour) => sum + colour[at], 0) / colours.length
  return [part(0), part(1), part(2)]
}

function css([red, green, blue]: Rgb): string {
  return `rgb(${String(Math.round(red))} ${String(Math.round(green))} ${String(Math.round(blue))})`
}
