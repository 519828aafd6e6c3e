// Meshes drawn by the graphics card: one context for the whole page, from which pictures are copied into ordinary canvases.
import type { Rgb } from '../../lib/colour'
import { lightsOf } from './lighting'
import { FRAGMENT_SHADER, MOST_BEAMS, VERTEX_SHADER } from './shaders'
import { axisOf, pointPixels, shownAs, type MeshGeometry, type Scene } from './types'

// Buffers that were not drawn lately are deleted beyond this.
const MOST_BYTES = 384 << 20
const STOPS = 6

interface Buffers {
  readonly array: WebGLVertexArrayObject
  readonly all: WebGLBuffer[]
  readonly points: number
  readonly corners: number
  /** Made when lines are first drawn. */
  edges: WebGLBuffer | null
  bytes: number
}

interface Program {
  readonly program: WebGLProgram
  readonly uniforms: ReadonlyMap<string, WebGLUniformLocation>
}

const UNIFORMS = [
  'matrix',
  'colourBy',
  'domain',
  'ramp',
  'tint',
  'hasColours',
  'pixels',
  'pointSize',
  'isSizeInPixels',
  'style',
  'paper',
  'eye',
  'back',
  'depths',
  'ambient',
  'beams',
  'beamFrom',
  'beamColour',
] as const

export class MeshRenderer {
  readonly #canvas: HTMLCanvasElement
  readonly #gl: WebGL2RenderingContext
  #program: Program | null
  /** The last drawn are the last. */
  readonly #buffers = new Map<MeshGeometry, Buffers>()
  readonly #restored = new Set<() => void>()

  /** Null where there is no WebGL. */
  static create(): MeshRenderer | null {
    const canvas = document.createElement('canvas')
    const gl = canvas.getContext('webgl2', { antialias: true, alpha: true, preserveDrawingBuffer: false })
    if (gl === null) return null
    const program = link(gl)
    return program === null ? null : new MeshRenderer(canvas, gl, program)
  }

  private constructor(canvas: HTMLCanvasElement, gl: WebGL2RenderingContext, program: Program) {
    this.#canvas = canvas
    this.#gl = gl
    this.#program = program
    canvas.addEventListener('webglcontextlost', (event) => {
      // Otherwise the browser does not give it back.
      event.preventDefault()
      this.#program = null
      this.#buffers.clear()
    })
    canvas.addEventListener('webglcontextrestored', () => {
      this.#program = link(gl)
      for (const redraw of [...this.#restored]) redraw()
    })
  }

  /** Calls when a lost context is there again, until the returned function is called. */
  onRestored(redraw: () => void): () => void {
    this.#restored.add(redraw)
    return () => {
      this.#restored.delete(redraw)
    }
  }

  /** Whether the browser has taken the context away for now. */
  get isLost(): boolean {
    return this.#program === null || this.#gl.isContextLost()
  }

  /** Draws onto what is in `target` already; nothing while the context is lost. */
  draw(mesh: MeshGeometry, scene: Scene, target: CanvasRenderingContext2D): void {
    const gl = this.#gl
    if (this.#program === null || gl.isContextLost()) return
    const { width, height } = scene.projection
    // It only grows: a canvas of another size is another one to the graphics card.
    if (this.#canvas.width < width) this.#canvas.width = width
    if (this.#canvas.height < height) this.#canvas.height = height
    const buffers = this.#buffersOf(mesh)
    gl.viewport(0, 0, width, height)
    gl.enable(gl.SCISSOR_TEST)
    gl.scissor(0, 0, width, height)
    gl.clearColor(0, 0, 0, 0)
    gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT)
    gl.enable(gl.DEPTH_TEST)
    this.#paint(mesh, scene, buffers, this.#program)
    target.drawImage(this.#canvas, 0, this.#canvas.height - height, width, height, 0, 0, width, height)
  }

  #paint(mesh: MeshGeometry, scene: Scene, buffers: Buffers, { program, uniforms }: Program): void {
    const gl = this.#gl
    const at = (name: (typeof UNIFORMS)[number]): WebGLUniformLocation | null => uniforms.get(name) ?? null
    const { projection, domain, ramp, tint, paper, pointSize } = scene
    gl.useProgram(program)
    gl.bindVertexArray(buffers.array)
    gl.uniformMatrix4fv(at('matrix'), false, projection.matrix)
    gl.uniform1i(at('colourBy'), axisOf(scene.colourBy))
    gl.uniform2f(at('domain'), domain[0], domain[1])
    const stops = Array.from({ length: STOPS }, (_, stop) => ramp[Math.min(stop, ramp.length - 1)] ?? tint)
    gl.uniform3fv(at('ramp'), stops.flatMap(shares))
    gl.uniform3fv(at('tint'), shares(tint))
    gl.uniform3fv(at('paper'), shares(paper))
    gl.uniform1i(at('hasColours'), mesh.colours.length > 0 ? 1 : 0)
    gl.uniform1f(at('pixels'), projection.pixels)
    gl.uniform1f(at('pointSize'), pointSize ?? pointPixels(buffers.points, projection))
    gl.uniform1i(at('isSizeInPixels'), pointSize === null ? 1 : 0)
    gl.uniform3fv(at('eye'), projection.eye)
    gl.uniform3fv(at('back'), projection.back)
    gl.uniform2f(at('depths'), ...projection.depths)
    const { ambient, beams } = lightsOf(scene)
    gl.uniform3fv(at('ambient'), ambient)
    gl.uniform1i(at('beams'), beams.length)
    const padded = <T>(list: readonly T[], rest: T): T[] =>
      Array.from({ length: MOST_BEAMS }, (_, beam) => list[beam] ?? rest)
    gl.uniform3fv(
      at('beamFrom'),
      padded(
        beams.map(({ from }) => from),
        [0, 0, 1],
      ).flat(),
    )
    gl.uniform3fv(
      at('beamColour'),
      padded(
        beams.map(({ colour }) => colour),
        [0, 0, 0],
      ).flat(),
    )
    const show = shownAs(mesh, scene.show)
    if (show === 'points') {
      gl.uniform1i(at('style'), 1)
      gl.drawArrays(gl.POINTS, 0, buffers.points)
    } else if (show === 'surface') {
      gl.uniform1i(at('style'), 0)
      gl.drawElements(gl.TRIANGLES, buffers.corners, gl.UNSIGNED_INT, 0)
    } else {
      // Paper between the lines, a little behind them, hides what is farther away.
      gl.enable(gl.POLYGON_OFFSET_FILL)
      gl.polygonOffset(1, 1)
      gl.uniform1i(at('style'), 3)
      gl.drawElements(gl.TRIANGLES, buffers.corners, gl.UNSIGNED_INT, 0)
      gl.disable(gl.POLYGON_OFFSET_FILL)
      gl.uniform1i(at('style'), 2)
      gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, this.#edgesOf(mesh, buffers))
      gl.drawElements(gl.LINES, 2 * buffers.corners, gl.UNSIGNED_INT, 0)
      gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, buffers.all[2] ?? null)
    }
    gl.bindVertexArray(null)
  }

  #buffersOf(mesh: MeshGeometry): Buffers {
    const known = this.#buffers.get(mesh)
    if (known !== undefined) {
      this.#buffers.delete(mesh)
      this.#buffers.set(mesh, known)
      return known
    }
    const gl = this.#gl
    const array = gl.createVertexArray()
    gl.bindVertexArray(array)
    const all = [
      filled(gl, gl.ARRAY_BUFFER, mesh.positions),
      filled(gl, gl.ARRAY_BUFFER, mesh.colours),
      filled(gl, gl.ELEMENT_ARRAY_BUFFER, mesh.faces),
    ]
    const [positions = null, colours = null] = all
    gl.bindBuffer(gl.ARRAY_BUFFER, positions)
    gl.enableVertexAttribArray(0)
    gl.vertexAttribPointer(0, 3, gl.FLOAT, false, 0, 0)
    if (mesh.colours.length > 0) {
      gl.bindBuffer(gl.ARRAY_BUFFER, colours)
      gl.enableVertexAttribArray(1)
      gl.vertexAttribPointer(1, 3, gl.UNSIGNED_BYTE, true, 0, 0)
    }
    gl.bindVertexArray(null)
    const bytes = mesh.positions.byteLength + mesh.colours.byteLength + mesh.faces.byteLength
    const points = mesh.positions.length / 3
    const made: Buffers = { array, all, points, corners: mesh.faces.length, edges: null, bytes }
    this.#buffers.set(mesh, made)
    this.#drop(mesh)
    return made
  }

  #edgesOf({ faces }: MeshGeometry, buffers: Buffers): WebGLBuffer {
    if (buffers.edges === null) {
      const edges = edgesOf(faces)
      buffers.edges = filled(this.#gl, this.#gl.ELEMENT_ARRAY_BUFFER, edges)
      buffers.all.push(buffers.edges)
      buffers.bytes += edges.byteLength
    }
    return buffers.edges
  }

  #drop(kept: MeshGeometry): void {
    let total = [...this.#buffers.values()].reduce((sum, { bytes }) => sum + bytes, 0)
    for (const [mesh, { array, all, bytes }] of this.#buffers) {
      if (total <= MOST_BYTES || mesh === kept) return
      for (const buffer of all) this.#gl.deleteBuffer(buffer)
      this.#gl.deleteVertexArray(array)
      this.#buffers.delete(mesh)
      total -= bytes
    }
  }
}

/** The corners of each triangle, two for each of its sides. */
export function edgesOf(faces: Uint32Array): Uint32Array<ArrayBuffer> {
  const edges = new Uint32Array(2 * faces.length)
  for (let at = 0; at < faces.length; at += 3) {
    const [a = 0, b = 0, c = 0] = [faces[at], faces[at + 1], faces[at + 2]]
    edges.set([a, b, b, c, c, a], 2 * at)
  }
  return edges
}

function shares(rgb: Rgb): number[] {
  return rgb.map((part) => part / 255)
}

function filled(
  gl: WebGL2RenderingContext,
  target: number,
  data: Float32Array<ArrayBuffer> | Uint8Array<ArrayBuffer> | Uint32Array<ArrayBuffer>,
): WebGLBuffer {
  const buffer = gl.createBuffer()
  gl.bindBuffer(target, buffer)
  gl.bufferData(target, data, gl.STATIC_DRAW)
  return buffer
}

/** Null if the context was lost meanwhile, or the driver refuses. */
function link(gl: WebGL2RenderingContext): Program | null {
  const program = gl.createProgram()
  for (const [kind, source] of [
    [gl.VERTEX_SHADER, VERTEX_SHADER],
    [gl.FRAGMENT_SHADER, FRAGMENT_SHADER],
  ] as const) {
    const shader = gl.createShader(kind)
    if (shader === null) return null
    gl.shaderSource(shader, source)
    gl.compileShader(shader)
    gl.attachShader(program, shader)
  }
  gl.bindAttribLocation(program, 0, 'position')
  gl.bindAttribLocation(program, 1, 'colour')
  gl.linkProgram(program)
  if (gl.getProgramParameter(program, gl.LINK_STATUS) !== true) return null
  const uniforms = new Map<string, WebGLUniformLocation>()
  for (const name of UNIFORMS) {
    const location = gl.getUniformLocation(program, name)
    if (location !== null) uniforms.set(name, location)
  }
  return { program, uniforms }
}

let shared: MeshRenderer | null | undefined

/** The renderer of the page, made when the first mesh is drawn; null where there is no WebGL. */
export function meshRenderer(): MeshRenderer | null {
  shared ??= MeshRenderer.create()
  return shared
}
