// Restarts of the shown runs, and gaps in damaged files: asked for only where there are some.
import { untrack } from 'svelte'
import type { Page } from '../../state/page.svelte'
import type { Gap, Restarted } from './marks'

// Names are in the address, which may have 16 KiB.
const RUNS_AT_ONCE = 40
const MOST_RUNS = 200
const MOST_FILES = 1000
// In no name of a run, as a line break may be.
const BETWEEN = '\0\0'

export class Annotations {
  restarts = $state.raw<ReadonlyMap<string, readonly Restarted[]>>(new Map())
  gaps = $state.raw<ReadonlyMap<string, readonly Gap[]>>(new Map())
  readonly #page: Page

  constructor(page: Page) {
    this.#page = page
    $effect(() => {
      const runs = this.#restarted
      untrack(() => {
        void this.#askRestarts(runs)
      })
    })
    $effect(() => {
      if (this.#damage !== '')
        untrack(() => {
          void this.#askGaps()
        })
      else this.gaps = new Map()
    })
  }

  /** Shown runs that were started again, with how often: text, so that asking depends on what it says. */
  readonly #restarted = $derived.by(() => {
    const runs = this.#page.selection.shown.flatMap((entry) => [entry.run, ...entry.parts.map((part) => part.run)])
    return runs
      .filter((run) => run.restarts > 0)
      .slice(0, MOST_RUNS)
      .map((run) => `${run.name}\0${String(run.restarts)}`)
      .join(BETWEEN)
  })

  readonly #damage = $derived.by(() => {
    const damage = this.#page.board.status?.damage
    return damage === undefined || damage.files === 0
      ? ''
      : `${String(damage.files)} ${String(damage.skipped_bytes)} ${String(damage.bad_records)}`
  })

  async #askRestarts(runs: string): Promise<void> {
    const names = runs === '' ? [] : runs.split(BETWEEN).map((run) => run.split('\0')[0] ?? run)
    const found = new Map<string, Restarted[]>()
    try {
      for (let at = 0; at < names.length; at += RUNS_AT_ONCE) {
        for (const restart of await this.#page.client.restarts(names.slice(at, at + RUNS_AT_ONCE))) {
          const listed = found.get(restart.run) ?? []
          found.set(restart.run, [...listed, { step: restart.step, hiddenPoints: restart.hidden_points }])
        }
      }
      // Other runs may be shown by now.
      if (runs === this.#restarted) this.restarts = found
    } catch {
      // Marks are an extra: what cannot be asked is told by the connection.
    }
  }

  async #askGaps(): Promise<void> {
    const damage = this.#damage
    try {
      const { files } = await this.#page.client.damage({ limit: MOST_FILES })
      const found = new Map<string, Gap[]>()
      for (const { run, gaps, broken_tail: isTorn } of files) {
        const known: Gap[] = gaps.flatMap(({ step_before: from, step_after: to }) =>
          from === null ? [] : [{ from, to }],
        )
        // Which of several files is the last one is not told.
        if (isTorn && this.#page.runs.byName.get(run)?.run.restarts === 0) known.push({ from: null, to: null })
        if (known.length > 0) found.set(run, [...(found.get(run) ?? []), ...known])
      }
      // It may be mended by now.
      if (damage === this.#damage) this.gaps = found
    } catch {
      // As above.
    }
  }
}

const OF_PAGE = new WeakMap<Page, Annotations>()

/** The same for all cards of a page. */
export function annotations(page: Page): Annotations {
  const known = OF_PAGE.get(page)
  if (known !== undefined) return known
  let made: Annotations | undefined
  // It lives as long as the page, not as the card that asks first.
  $effect.root(() => {
    made = new Annotations(page)
  })
  const annotations = made as unknown as Annotations
  OF_PAGE.set(page, annotations)
  return annotations
}
