// Which runs deserve a look before the others: the best, those that diverged, and those that are writing. A function of the data.
import type { Columns } from './columns.svelte'
import type { Runs } from './runs.svelte'
import type { Statuses } from './status.svelte'
import type { Summaries, Summary } from './summaries.svelte'

export interface Needs {
  readonly runs: Pick<Runs, 'started' | 'byName'>
  readonly columns: Pick<Columns, 'judged' | 'mainTags' | 'better'>
  readonly summaries: Pick<Summaries, 'of' | 'want'>
  readonly statuses: Pick<Statuses, 'of' | 'writing'>
}

/** Where a run went wrong. */
export interface Divergence {
  readonly run: string
  readonly tag: string
  /** `exploded` is finite, but far above where the run was and where the others are. */
  readonly kind: 'nan' | 'infinite' | 'exploded'
  /** Of the first NaN; otherwise the last step. */
  readonly step: number
}

export interface Best {
  readonly run: string
  readonly tag: string
  readonly value: number
}

/** Ranks of runs that compete for colours, the lowest first. */
export const RANKS = { always: 0, best: 1, diverged: 2, running: 3, others: 9 } as const

// Summaries that are read for nothing else: a row takes some hundred bytes.
const MOST_TAGS = 6
const MOST_ROWS = 30_000
// A loss this many times above its own min, and above the median of the others, has exploded.
const EXPLODED = 10
const FEWEST_OTHERS = 3

export class Health {
  readonly #page: Needs

  /** The tags in which runs can diverge: those that runs are judged by. */
  readonly tags = $derived.by<readonly string[]>(() => {
    const { columns, runs } = this.#page
    const most = Math.max(1, Math.min(MOST_TAGS, Math.floor(MOST_ROWS / Math.max(1, runs.started.length))))
    return [...new Set([...columns.mainTags, ...columns.judged])].slice(0, most)
  })
  readonly #wanted = $derived(JSON.stringify(this.tags))

  /** By run, trashed ones left out, those that started last first. */
  readonly diverged = $derived.by<ReadonlyMap<string, Divergence>>(() => {
    const { runs, columns, summaries } = this.#page
    const found = new Map<string, Divergence>()
    const tables = this.tags.map((tag) => {
      const rows = summaries.of(tag)
      return { tag, rows, usual: columns.better(tag) === 'lower' ? usualLast(rows) : null }
    })
    for (const run of [...runs.started].reverse()) {
      if (!runs.byName.has(run)) continue
      for (const { tag, rows, usual } of tables) {
        const kind = divergence(rows.get(run), usual)
        if (kind === null || found.has(run)) continue
        const summary = rows.get(run)
        found.set(run, { run, tag, kind, step: summary?.firstNan ?? summary?.lastStep ?? NaN })
      }
    }
    return found
  })

  /** The best of the main tags, where several runs can be compared. */
  readonly best = $derived.by<readonly Best[]>(() => {
    const { runs } = this.#page
    return this.#bestAmong(runs.started.filter((run) => runs.byName.has(run)))
  })

  constructor(page: Needs) {
    this.#page = page
    // As long as the page.
    $effect.root(() => {
      $effect(() => this.#page.summaries.want(JSON.parse(this.#wanted) as string[]))
    })
  }

  /** How these compete for colours; the best are the best among them. */
  ranks(names: readonly string[]): (name: string) => number {
    const { diverged } = this
    const { writing } = this.#page.statuses
    const best = new Set(this.#bestAmong(names).map(({ run }) => run))
    return (name) => {
      if (best.has(name)) return RANKS.best
      if (diverged.has(name)) return RANKS.diverged
      return writing.has(name) ? RANKS.running : RANKS.others
    }
  }

  #bestAmong(names: readonly string[]): readonly Best[] {
    const { columns, summaries } = this.#page
    return columns.mainTags.flatMap((tag) => {
      const better = columns.better(tag)
      if (better === null) return []
      const rows = summaries.of(tag)
      let best: Best | null = null
      let compared = 0
      for (const run of names) {
        const summary = rows.get(run)
        const value = summary === undefined ? NaN : better === 'lower' ? summary.min : summary.max
        if (!Number.isFinite(value)) continue
        compared++
        if (best === null || (better === 'lower' ? value < best.value : value > best.value)) best = { run, tag, value }
      }
      return best === null || compared < 2 ? [] : [best]
    })
  }
}

/** The median of the last values; null where there are too few to say what is usual, or where some are below zero. */
function usualLast(rows: ReadonlyMap<string, Summary>): number | null {
  const values = [...rows.values()].map(({ last }) => last).filter(Number.isFinite)
  if (values.length <= FEWEST_OTHERS || values.some((value) => value < 0)) return null
  return values.sort((a, b) => a - b)[Math.floor((values.length - 1) / 2)] ?? null
}

function divergence(summary: Summary | undefined, usual: number | null): Divergence['kind'] | null {
  if (summary === undefined || summary.count === 0) return null
  const { last, min } = summary
  if (Number.isNaN(last)) return 'nan'
  if (!Number.isFinite(last)) return 'infinite'
  return usual !== null && last > EXPLODED * usual && last > EXPLODED * min ? 'exploded' : null
}
