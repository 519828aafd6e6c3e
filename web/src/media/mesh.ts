// A logged mesh in the terms of the charts: its lens, its lights, its colours, and how many points there are in words.
import type { MeshData } from '../api/mesh'
import { LENS, orbitFrom, START, type Frame, type Lens, type Orbit, type Up } from '../charts/mesh/camera'
import type { Lights, Show } from '../charts/mesh/types'
import { parseHex, type Rgb } from '../lib/colour'
import { count, counted } from '../lib/format'
import { value } from '../lib/numerals'

export function lensOf({ camera }: Pick<MeshData, 'camera'>): Lens {
  return { fov: camera?.fov ?? LENS.fov, isOrthographic: camera?.is_orthographic ?? false }
}

/** From where it is looked at while no one has moved the camera: as logged, or from a corner. */
export function startOf({ camera }: Pick<MeshData, 'camera'>, frame: Frame, up: Up): Orbit {
  const position = camera?.position ?? null
  if (camera === null || position === null) return START
  return orbitFrom(position, camera.target, frame, lensOf({ camera }), up)
}

/** How it is drawn where people did not choose: as logged. */
export function showOf({ material }: Pick<MeshData, 'material'>, chosen: Show | null): Show {
  return chosen ?? (material?.is_wireframe === true ? 'wire' : 'surface')
}

/** Null if none were logged. */
export function lightsOf({ lights }: Pick<MeshData, 'lights'>, toRgb: (colour: string) => Rgb): Lights | null {
  if (lights === null || lights.length === 0) return null
  const shine = (colour: string, intensity: number): [number, number, number] => {
    const [red, green, blue] = toRgb(colour)
    return [(intensity * red) / 255, (intensity * green) / 255, (intensity * blue) / 255]
  }
  const ambient: [number, number, number] = [0, 0, 0]
  for (const light of lights) {
    if (!light.is_ambient) continue
    shine(light.colour, light.intensity).forEach((part, at) => {
      ambient[at] = (ambient[at] ?? 0) + part
    })
  }
  return {
    ambient,
    beams: lights.flatMap(({ is_ambient: isAmbient, position, colour, intensity }) =>
      isAmbient || position === null ? [] : [{ from: position, colour: shine(colour, intensity) }],
    ),
  }
}

const BLACK: Rgb = [0, 0, 0]

/** A colour that CSS knows; black for any other. The browser is asked for what is no `#rrggbb`. */
export function cssRgb(colour: string): Rgb {
  const known = parseHex(colour)
  if (known !== null) return known
  const context = document.createElement('canvas').getContext('2d')
  if (context === null) return BLACK
  context.fillStyle = '#000000'
  context.fillStyle = colour
  return parseHex(context.fillStyle) ?? BLACK
}

/** `2,704 vertices`, `11,208 points`, `2,000,000 of 3,100,000 points drawn (65 %)`. */
export function countText(mesh: Pick<MeshData, 'positions' | 'faces' | 'vertices' | 'triangles'>): string {
  const [points, triangles] = [mesh.positions.length / 3, mesh.faces.length / 3]
  if (mesh.triangles > 0 && triangles < mesh.triangles) return part(triangles, mesh.triangles, 'triangles')
  if (points < mesh.vertices) return part(points, mesh.vertices, mesh.triangles > 0 ? 'vertices' : 'points')
  return mesh.triangles > 0 ? counted(mesh.vertices, 'vertex', 'vertices') : counted(mesh.vertices, 'point')
}

/** `65 %` */
export function share(part: number): string {
  return `${value(100 * part, 2)} %`
}

function part(drawn: number, total: number, name: string): string {
  return `${count(drawn)} of ${count(total)} ${name} drawn (${share(drawn / total)})`
}
