// Meshes that were shown lately, so that going back a step shows the same at once.
import type { MeshData } from '../../api/mesh'

const MOST_BYTES = 256 << 20

export class MeshCache {
  /** The last used are the last. */
  readonly #meshes = new Map<string, MeshData>()
  readonly #mostBytes: number
  #bytes = 0

  constructor(mostBytes = MOST_BYTES) {
    this.#mostBytes = mostBytes
  }

  get(path: string): MeshData | undefined {
    const mesh = this.#meshes.get(path)
    if (mesh !== undefined) {
      this.#meshes.delete(path)
      this.#meshes.set(path, mesh)
    }
    return mesh
  }

  put(path: string, mesh: MeshData): void {
    const before = this.#meshes.get(path)
    if (before !== undefined) {
      this.#bytes -= bytesOf(before)
      this.#meshes.delete(path)
    }
    this.#meshes.set(path, mesh)
    this.#bytes += bytesOf(mesh)
    for (const [oldest, old] of this.#meshes) {
      if (this.#bytes <= this.#mostBytes || oldest === path) return
      this.#meshes.delete(oldest)
      this.#bytes -= bytesOf(old)
    }
  }
}

function bytesOf({ positions, colours, faces }: MeshData): number {
  return positions.byteLength + colours.byteLength + faces.byteLength
}

export const meshCache = new MeshCache()
