// The tags of the scalars dashboard.

export interface TagInfo {
  readonly tag: string
  /** How many runs have it. */
  readonly runs: number
  readonly displayName: string
  /** Markdown. */
  readonly description: string
}

export class Tags {
  /** In natural order. */
  all = $state.raw<readonly TagInfo[]>([])
  isLoading = $state(true)
}
