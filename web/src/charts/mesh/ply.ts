// A mesh as a file that other programs open: binary PLY.
import type { MeshGeometry } from './types'

/** Vertices with their colours, then triangles. */
export function toPly({ positions, colours, faces }: Omit<MeshGeometry, 'bounds'>): Uint8Array<ArrayBuffer> {
  const [points, triangles] = [positions.length / 3, faces.length / 3]
  const hasColours = colours.length === positions.length
  const header = new TextEncoder().encode(
    [
      'ply',
      'format binary_little_endian 1.0',
      `element vertex ${String(points)}`,
      ...['x', 'y', 'z'].map((axis) => `property float ${axis}`),
      ...(hasColours ? ['red', 'green', 'blue'].map((channel) => `property uchar ${channel}`) : []),
      `element face ${String(triangles)}`,
      'property list uchar int vertex_indices',
      'end_header\n',
    ].join('\n'),
  )
  const [perPoint, perTriangle] = [hasColours ? 15 : 12, 13]
  const file = new Uint8Array(header.length + points * perPoint + triangles * perTriangle)
  file.set(header)
  const view = new DataView(file.buffer)
  let at = header.length
  for (let point = 0; point < 3 * points; point += 3) {
    for (let axis = 0; axis < 3; axis++) view.setFloat32(at + 4 * axis, positions[point + axis] ?? 0, true)
    if (hasColours) file.set(colours.subarray(point, point + 3), at + 12)
    at += perPoint
  }
  for (let corner = 0; corner < 3 * triangles; corner += 3) {
    view.setUint8(at, 3)
    for (let next = 0; next < 3; next++) view.setInt32(at + 1 + 4 * next, faces[corner + next] ?? 0, true)
    at += perTriangle
  }
  return file
}
