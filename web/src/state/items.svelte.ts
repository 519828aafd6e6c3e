// What a tag shows of each shown run: the item that it logged last at or before the cursor.
import { addressAt } from '../api/blobs'
import { step as stepText } from '../lib/numerals'
import { cardId } from './card_ids'
import type { BlobList, Blobs, SeriesName } from './blobs.svelte'
import type { Curation } from './curation.svelte'
import type { Selection } from './selection.svelte'
import type { RunStatus, Statuses } from './status.svelte'
import { atOrBefore, factsOf, mergedSteps, type Steps } from './steps'
import type { Styles } from './styles.svelte'
import type { View } from './view.svelte'

/** What items look at; the page has it all. */
export interface Needs {
  readonly blobs: Pick<Blobs, 'of' | 'watch' | 'trouble'>
  readonly curation: Pick<Curation, 'of'>
  readonly selection: Pick<Selection, 'shown'>
  readonly statuses: Pick<Statuses, 'of'>
  readonly styles: Pick<Styles, 'of'>
  readonly view: View
}

/** What one run shows at the cursor. */
export interface Item {
  readonly run: string
  /** The entry of the run list that it belongs to: the run itself, or the one that it is a part of. */
  readonly entry: string
  /** As people call it. */
  readonly title: string
  readonly colour: string
  /** Everything the run logged under the tag. */
  readonly list: BlobList
  /** Its position in the list; -1 before the first. */
  readonly at: number
  /** Null before the first. */
  readonly address: string | null
  /** Null before the first. */
  readonly step: number | null
  readonly wallTime: number | null
  /** How far it is from the cursor: `exact`, `−20`, `ended`, `first at 500`. */
  readonly distance: string
}

/** Nothing more is expected of such a run. */
const OVER: ReadonlySet<RunStatus> = new Set(['ended', 'finished', 'failed'])

/** Which items these are. */
export interface ItemsName {
  readonly dashboard: string
  /** That of the card. */
  readonly tag: string
  /** The tags that runs logged them under, if that is not the tag of the card. */
  readonly tags?: readonly string[]
}

export class Items {
  readonly #page: Needs
  readonly #name: () => ItemsName

  /** `name` may read state: another tag is another list. */
  constructor(page: Needs, name: () => ItemsName) {
    this.#page = page
    this.#name = name
  }

  readonly #sources = $derived.by<readonly { readonly name: SeriesName; readonly entry: string }[]>(() => {
    const { dashboard, tag, tags = [tag] } = this.#name()
    return this.#page.selection.shown.flatMap((entry) =>
      [entry.name, ...entry.parts.map((part) => part.run.name)].flatMap((run) =>
        tags.map((logged) => ({ name: { run, tag: logged, dashboard }, entry: entry.name })),
      ),
    )
  })

  readonly #lists = $derived.by<readonly { run: string; entry: string; list: BlobList }[]>(() =>
    this.#sources.flatMap(({ name, entry }) => {
      const list = this.#page.blobs.of(name)
      return list ? [{ run: name.run, entry, list }] : []
    }),
  )

  /** Whether a list is not known yet. */
  readonly isLoading = $derived.by(() => this.#sources.some(({ name }) => this.#page.blobs.of(name) === undefined))

  /** The logged steps of all shown runs, in order. */
  readonly steps = $derived.by<Steps>(() => mergedSteps(this.#lists.map(({ list }) => list.steps)))

  readonly #id = $derived.by(() => cardId(this.#name().dashboard, this.#name().tag))

  /** The step that the items are at: the board's, or the card's own while steps are not linked; the last while none is selected. */
  readonly cursor = $derived.by(() => {
    const { ownSteps, selected } = this.#page.view.values
    const own = ownSteps === null ? undefined : Object.hasOwn(ownSteps, this.#id) ? ownSteps[this.#id] : undefined
    return (ownSteps === null ? selected?.from : own) ?? this.steps.at(-1) ?? 0
  })

  /** Position of the step among all that is shown. */
  readonly at = $derived.by(() => Math.max(0, atOrBefore(this.steps, this.cursor)))

  /** In the order of the run list. */
  readonly all = $derived.by<readonly Item[]>(() => this.#lists.map((source) => this.#item(source)))

  /** Keeps the lists current until the returned function is called; for an effect. */
  watch(): () => void {
    return this.#page.blobs.watch(this.#sources.map(({ name }) => name))
  }

  /** Moves the cursor of the board, or of this card alone while steps are not linked. */
  go(step: number): void {
    const { view } = this.#page
    const { ownSteps } = view.values
    if (ownSteps === null) view.set('selected', { from: step, to: null })
    else view.set('ownSteps', { ...ownSteps, [this.#id]: step })
  }

  #item({ run, entry, list }: { run: string; entry: string; list: BlobList }): Item {
    const { curation, styles } = this.#page
    const at = atOrBefore(list.steps, this.cursor)
    const step = list.steps[at] ?? null
    return {
      run,
      entry,
      title: run === entry ? (curation.of(entry).title ?? run) : run,
      colour: styles.of(entry).colour,
      list,
      at,
      address: at < 0 ? null : addressAt(list.places, at),
      step,
      wallTime: list.wallTimes[at] ?? null,
      distance: this.#distance(entry, list, step),
    }
  }

  #distance(entry: string, { steps }: BlobList, step: number | null): string {
    const { first, last } = factsOf(steps)
    if (step === null) return `first at ${stepText(first)}`
    if (step === this.cursor) return 'exact'
    return step === last && OVER.has(this.#page.statuses.of(entry)) ? 'ended' : `\u2212${stepText(this.cursor - step)}`
  }
}
