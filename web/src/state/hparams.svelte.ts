// Hyper-parameters of the runs, as they were logged.

export type HParam = number | string | boolean

const NONE: ReadonlyMap<string, HParam> = new Map()

export class HParams {
  /** In natural order, those that vary between runs first. */
  names = $state.raw<readonly string[]>([])
  byRun = $state.raw<ReadonlyMap<string, ReadonlyMap<string, HParam>>>(new Map())

  of(run: string): ReadonlyMap<string, HParam> {
    return this.byRun.get(run) ?? NONE
  }
}
