// What is said in one line above the charts: the best runs, those that diverged, those that stalled.
import { step, value } from '../lib/numerals'
import type { Best, Divergence } from '../state/health.svelte'

export interface Item {
  /** The same as long as it says the same of the same run: what is dismissed stays so. */
  readonly key: string
  readonly kind: 'best' | 'diverged' | 'stalled'
  readonly run: string
  /** The card to look at; null for none. */
  readonly tag: string | null
  /** Where it went wrong; null for none. */
  readonly step: number | null
  /** What is said before and after the name of the run. */
  readonly before: string
  readonly after: string
}

export interface Notable {
  readonly best: readonly Best[]
  readonly diverged: readonly Divergence[]
  readonly stalled: readonly string[]
}

// A line has room for so many of each.
const MOST = 3

const FAULTS: Readonly<Record<Divergence['kind'], string>> = { nan: 'NaN', infinite: 'infinite', exploded: 'exploded' }

/** What went wrong comes first; a run that is the best in two tags is named for each. */
export function itemsOf({ best, diverged, stalled }: Notable): readonly Item[] {
  return [
    ...diverged.slice(0, MOST).map(({ run, tag, kind, step: at }): Item => ({
      key: `diverged ${run} ${tag}`,
      kind: 'diverged',
      run,
      tag,
      step: Number.isFinite(at) ? at : null,
      before: '',
      after: `${tag} ${FAULTS[kind]}${Number.isFinite(at) ? ` at ${step(at)}` : ''}`,
    })),
    ...stalled.slice(0, MOST).map((run): Item => ({
      key: `stalled ${run}`,
      kind: 'stalled',
      run,
      tag: null,
      step: null,
      before: '',
      after: 'stalled',
    })),
    ...best.map(({ run, tag, value: at }): Item => ({
      key: `best ${run} ${tag}`,
      kind: 'best',
      run,
      tag,
      step: null,
      before: `Best ${tag}`,
      after: value(at),
    })),
  ]
}
