// Last, least and greatest values of the tags that somebody looks at: columns, filters, colours, status.

export interface Summary {
  readonly count: number
  readonly firstStep: number
  readonly lastStep: number
  readonly lastTime: number
  readonly last: number
  readonly min: number
  readonly minStep: number
  readonly max: number
  readonly maxStep: number
  /** Step of the first NaN; null if there is none. */
  readonly firstNan: number | null
}

const NONE: ReadonlyMap<string, Summary> = new Map()

export class Summaries {
  readonly #tags = $state.raw<ReadonlyMap<string, ReadonlyMap<string, Summary>>>(new Map())

  /** Keeps these up to date until the returned function is called. */
  want(_tags: readonly string[]): () => void {
    return () => undefined
  }

  /** By run; empty until it is known. */
  of(tag: string): ReadonlyMap<string, Summary> {
    return this.#tags.get(tag) ?? NONE
  }
}
