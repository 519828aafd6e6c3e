// What the full view and the panel share: the answer for the moment in the link, and the ways to other moments.
import type { MomentAnswer } from '../api/moment'
import type { Page } from '../state/page.svelte'
import { MomentData } from './data.svelte'
import { stepsOf, walked, type WalkBy } from './walk'

const SPARK_COLUMNS = 60

export class Session {
  readonly #page: Page
  readonly #data: MomentData
  /** What the keys walk by. */
  by = $state<WalkBy>('point')

  /** For the set-up of a component. `columns` are those of the drum. */
  constructor(page: Page, columns: number) {
    this.#page = page
    this.#data = new MomentData(page)
    $effect(() => this.#data.follow())
    $effect(() => {
      const { place, entry } = this
      if (place === null) return
      this.#data.ask({
        run: place.run,
        parts: (entry?.parts ?? []).map(({ run }) => run.name),
        step: place.step,
        tag: place.tag,
        reference: page.view.values.momentReference,
        columns,
        spark_columns: SPARK_COLUMNS,
      })
    })
  }

  readonly place = $derived.by(() => this.#page.moments.shown)
  readonly entry = $derived.by(() => (this.place === null ? undefined : this.#page.runs.byName.get(this.place.run)))
  readonly colour = $derived.by(() => {
    const run = this.place?.run ?? ''
    const style = this.#page.styles.of(run)
    return style.isColoured ? style.colour : this.#page.styles.identity(run)
  })
  readonly title = $derived.by(() => {
    const run = this.place?.run ?? ''
    return this.#page.curation.of(run).title ?? run
  })
  readonly answer = $derived.by<MomentAnswer | null>(() => this.#data.answer)
  readonly trouble = $derived.by(() => this.#data.trouble)
  /** The cursor: that of the link, else the last step. */
  readonly step = $derived.by(() => this.place?.step ?? this.answer?.step ?? null)
  /** Whether the last step is shown, whatever comes. */
  readonly isFollowing = $derived.by(() => this.place?.step === null)
  /** Where the main tag left its range; NaN if it did not. */
  readonly since = $derived.by(
    () => this.answer?.rows.find(({ tag, isSystem }) => tag === this.answer?.tag && !isSystem)?.since ?? NaN,
  )

  /** So many points, items or marks forth or back. */
  walk(by: number): void {
    const { answer, step } = this
    if (answer === null || step === null) return
    const next = walked(stepsOf(answer, this.by), answer.step, step, by)
    if (next !== null) this.#page.moments.go(next)
  }

  canWalk(by: number): boolean {
    const { answer, step } = this
    return answer !== null && step !== null && walked(stepsOf(answer, this.by), answer.step, step, by) !== null
  }

  /** To the first point, item or mark. */
  first(): void {
    const first = this.answer === null ? null : stepsOf(this.answer, this.by).first
    if (first !== null) this.#page.moments.go(first)
  }

  /** To the last point, which follows a run that grows, or to the last item or mark. */
  last(): void {
    const last = this.answer === null ? null : stepsOf(this.answer, this.by).last
    this.#page.moments.go(this.by === 'point' ? null : last)
  }

  go(step: number): void {
    this.#page.moments.go(step)
  }

  /** This step, or if it is already, the one that is chosen automatically. */
  toggleReference(): void {
    const { step } = this
    const { view } = this.#page
    view.set('momentReference', view.values.momentReference === step ? null : step)
  }

  setReference(step: number | null): void {
    this.#page.view.set('momentReference', step)
  }

  setTag(tag: string): void {
    this.#page.view.set('momentTag', tag)
  }
}
