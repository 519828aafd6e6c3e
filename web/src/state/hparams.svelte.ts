// Hyper-parameters of the runs, as they were logged.
import type { Client, PageOf } from '../api/client'
import type { HParam, HParamsOfRun } from '../api/types'
import { natural } from '../lib/natural'
import type { Board } from './board.svelte'
import { Listing } from './listing'

export type { HParam } from '../api/types'

const NONE: ReadonlyMap<string, HParam> = new Map()

export class HParams {
  #all = $state.raw<readonly HParamsOfRun[]>([])
  /** In natural order, those that vary between runs first. */
  readonly names = $derived<readonly string[]>(namesOf(this.#all))
  readonly byRun = $derived<ReadonlyMap<string, ReadonlyMap<string, HParam>>>(
    new Map(this.#all.map(({ name, hparams }) => [name, hparams])),
  )
  /** How each run ended, as its writer says. */
  readonly status = $derived<ReadonlyMap<string, HParamsOfRun['status']>>(
    new Map(this.#all.map(({ name, status }) => [name, status])),
  )
  readonly #listing: Listing<HParamsOfRun>

  constructor(client: Client, board: Board) {
    const ask = async (page: PageOf) => {
      const { runs, ...rest } = await client.hparams(page)
      return { ...rest, items: runs }
    }
    this.#listing = new Listing(board, 'hparams', ask, (all) => {
      const isSame = all.length === this.#all.length && all.every((one, at) => isEqual(one, this.#all[at]))
      if (!isSame) this.#all = all
    })
  }

  /** The first request. */
  load(): void {
    this.#listing.load()
  }

  of(run: string): ReadonlyMap<string, HParam> {
    return this.byRun.get(run) ?? NONE
  }
}

function isEqual(a: HParamsOfRun, b: HParamsOfRun | undefined): boolean {
  if (a.name !== b?.name || a.status !== b.status || a.hparams.size !== b.hparams.size) return false
  return [...a.hparams].every(([name, value]) => Object.is(b.hparams.get(name), value))
}

function namesOf(all: readonly HParamsOfRun[]): readonly string[] {
  const values = new Map<string, { readonly first: HParam; isVarying: boolean }>()
  for (const { hparams } of all) {
    for (const [name, value] of hparams) {
      const known = values.get(name)
      if (known === undefined) values.set(name, { first: value, isVarying: false })
      else if (!Object.is(known.first, value)) known.isVarying = true
    }
  }
  const order = ([a, one]: [string, { isVarying: boolean }], [b, other]: [string, { isVarying: boolean }]): number =>
    Number(other.isVarying) - Number(one.isVarying) || natural(a, b)
  return [...values].sort(order).map(([name]) => name)
}
