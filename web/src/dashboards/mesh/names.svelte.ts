// The meshes of the board: one name for vertices, faces and colours, which are logged under three tags.
import type { Client } from '../../api/client'
import type { MeshRow } from '../../api/mesh'
import { natural } from '../../lib/natural'
import type { Board } from '../../state/board.svelte'
import { Listing } from '../../state/listing'
import type { TagInfo } from '../../state/tags.svelte'

export class MeshNames {
  /** In natural order. */
  all = $state.raw<readonly TagInfo[]>([])
  isLoading = $state(true)
  #tags = $state.raw<ReadonlyMap<string, readonly string[]>>(new Map())

  constructor(client: Client, board: Board) {
    const ask = async (page: Parameters<Client['meshes']>[0]) => {
      const { meshes, ...rest } = await client.meshes(page)
      return { ...rest, items: meshes }
    }
    new Listing<MeshRow>(board, 'meshes', ask, (rows) => {
      this.#tags = new Map(rows.map(({ name, tags }) => [name, tags]))
      this.all = rows
        .map(({ name, runs, display_name: displayName, description }) => ({
          tag: name,
          runs,
          displayName,
          description,
        }))
        .sort((a, b) => natural(a.tag, b.tag))
      this.isLoading = false
    }).load()
  }

  /** Under which its items are logged; none while it is not known. */
  tagsOf(name: string): readonly string[] {
    return this.#tags.get(name) ?? []
  }
}

const known = new WeakMap<Board, MeshNames>()

/** Those of this board, which are followed from the first time that they are asked for. */
export function meshNames({ client, board }: { readonly client: Client; readonly board: Board }): MeshNames {
  let names = known.get(board)
  if (names === undefined) known.set(board, (names = new MeshNames(client, board)))
  return names
}
