// Meshes as the server lists them, and one of them put together from its parts.
import { FrameError, type Frame } from './columns'
import { flag, list, nullable, number, object, text, type Parse } from './shape'

export interface MeshRow {
  readonly name: string
  /** How many runs have it. */
  readonly runs: number
  readonly display_name: string
  readonly description: string
  /** Its items are listed under these; several where runs were written by different programs. */
  readonly tags: readonly string[]
}

export interface MeshPage {
  readonly change: number
  readonly next: string | null
  readonly meshes: readonly MeshRow[]
}

export interface MeshAddress {
  readonly instance: string
  /** Of the vertices. */
  readonly address: string
  readonly run: string
  /** As in the list. */
  readonly name: string
  readonly step: number
  /** Of those that were logged together. */
  readonly item: number
}

type Vector = readonly [number, number, number]

export interface MeshCamera {
  readonly is_orthographic: boolean
  readonly fov: number | null
  readonly position: Vector | null
  readonly target: Vector | null
}

export interface MeshMaterial {
  readonly size: number | null
  readonly is_wireframe: boolean
  /** As CSS has it. */
  readonly colour: string | null
}

export interface MeshLight {
  readonly is_ambient: boolean
  readonly colour: string
  readonly intensity: number
  readonly position: Vector | null
}

/** One item of a mesh. */
export interface MeshData {
  readonly positions: Float32Array<ArrayBuffer>
  /** Empty without colours. */
  readonly colours: Uint8Array<ArrayBuffer>
  readonly faces: Uint32Array<ArrayBuffer>
  readonly items: number
  /** Whether all parts are here that the writer announced. */
  readonly is_whole: boolean
  /** How many were logged; of large meshes fewer are here. */
  readonly vertices: number
  readonly triangles: number
  readonly bounds: { readonly low: Vector; readonly high: Vector } | null
  /** What cannot be drawn as logged, in sentences. */
  readonly problems: readonly string[]
  readonly camera: MeshCamera | null
  readonly material: MeshMaterial | null
  readonly lights: readonly MeshLight[] | null
  /** As logged. */
  readonly config: string
}

const vector: Parse<Vector> = (value, where) => {
  const [x = 0, y = 0, z = 0] = list(number)(value, where)
  return [x, y, z]
}

const parseMeta = object({
  items: number,
  is_whole: flag,
  vertices: number,
  triangles: number,
  bounds: nullable(list(vector)),
  problems: list(text),
  camera: nullable(
    object<MeshCamera>({
      is_orthographic: flag,
      fov: nullable(number),
      position: nullable(vector),
      target: nullable(vector),
    }),
  ),
  material: nullable(object<MeshMaterial>({ size: nullable(number), is_wireframe: flag, colour: nullable(text) })),
  lights: nullable(
    list(object<MeshLight>({ is_ambient: flag, colour: text, intensity: number, position: nullable(vector) })),
  ),
  config: text,
})

/** Throws ShapeError or FrameError when the frame is no mesh. */
export function parseMesh(frame: Frame): MeshData {
  const { bounds, ...meta } = parseMeta(frame.meta, 'meta')
  const positions = frame.columns.get('positions')
  const colours = frame.columns.get('colours')
  const faces = frame.columns.get('faces')
  if (
    !(positions instanceof Float32Array) ||
    !(colours instanceof Uint8Array) ||
    !(faces instanceof Uint32Array) ||
    positions.length % 3 !== 0 ||
    faces.length % 3 !== 0
  )
    throw new FrameError('the frame has no vertices, colours and faces')
  const [low, high] = bounds ?? []
  return {
    ...meta,
    positions,
    colours,
    faces,
    bounds: low === undefined || high === undefined ? null : { low, high },
  }
}

export const parseMeshPage = object<MeshPage>({
  change: number,
  next: nullable(text),
  meshes: list(object<MeshRow>({ name: text, runs: number, display_name: text, description: text, tags: list(text) })),
})

/** The address of a mesh below that of the API. */
export function meshPath({ instance, address, run, name, step, item }: MeshAddress): string {
  const query = new URLSearchParams({ run, name, step: String(step), item: String(item) })
  return `mesh/${instance}/${address}?${String(query)}`
}
