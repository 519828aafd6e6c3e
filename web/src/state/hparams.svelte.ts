// Hyper-parameters of the runs, as they were logged.
import type { Client } from '../api/client'
import type { HParam, HParamsOfRun } from '../api/types'
import { natural } from '../lib/natural'
import type { Board } from './board.svelte'
import { Repeat } from './repeat'

export type { HParam } from '../api/types'

const PAGE = 5_000
const REST_MILLIS = 1_000
const NONE: ReadonlyMap<string, HParam> = new Map()

export class HParams {
  #all = $state.raw<readonly HParamsOfRun[]>([])
  /** In natural order, those that vary between runs first. */
  readonly names = $derived<readonly string[]>(namesOf(this.#all))
  readonly byRun = $derived<ReadonlyMap<string, ReadonlyMap<string, HParam>>>(new Map(this.#all.map(({ name, hparams }) => [name, hparams])))
  /** How each run ended, as its writer says. */
  readonly status = $derived<ReadonlyMap<string, HParamsOfRun['status']>>(new Map(this.#all.map(({ name, status }) => [name, status])))
  readonly #client: Client
  readonly #refresh: Repeat
  #change = -1
  /** The last change that was told to concern this. */
  #told = 0
  #epoch = 0

  constructor(client: Client, board: Board) {
    this.#client = client
    this.#refresh = new Repeat(() => this.#ask(), REST_MILLIS, (error) => { board.report('hparams', error) })
    board.listen({
      changed: ({ change, tags, removed, all }) => {
        if (change <= this.#change || !(all || tags.length > 0 || removed.length > 0)) return
        this.#told = change
        this.#refresh.want()
      },
      reset: () => {
        this.#epoch++
        this.#change = -1
        this.#told = 0
        this.#refresh.want()
      },
    })
  }

  /** Asks for the first time. */
  load(): void {
    this.#refresh.want()
  }

  of(run: string): ReadonlyMap<string, HParam> {
    return this.byRun.get(run) ?? NONE
  }

  async #ask(): Promise<void> {
    // What was told while the first answer was on its way may be in it.
    if (this.#change >= this.#told) return
    const epoch = this.#epoch
    let page = await this.#client.hparams({ limit: PAGE })
    const { change } = page
    const all = [...page.runs]
    while (page.next !== null) {
      page = await this.#client.hparams({ limit: PAGE, after: page.next })
      all.push(...page.runs)
    }
    if (epoch !== this.#epoch) return
    this.#change = change
    const isSame = all.length === this.#all.length && all.every((one, at) => isEqual(one, this.#all[at]))
    if (!isSame) this.#all = all
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
