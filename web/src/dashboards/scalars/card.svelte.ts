// One card's state: what it asks, what it draws, and what can be done to it. Components only show it.
import type { SvelteSet } from 'svelte/reactivity'
import type { ChartData, ChartOptions, ChartView, LineStyle, Selected } from '../../charts/line/types'
import { direction } from '../../lib/direction'
import type { Range } from '../../lib/numbers'
import type { Group } from '../../state/groups.svelte'
import type { LineRequest, Loaded } from '../../state/lines.svelte'
import type { Page } from '../../state/page.svelte'
import { yScaleOf, zoomOf } from '../../state/facts/charts'
import type { Scale } from '../../state/facts/core'
import type { Annotations } from './annotations.svelte'
import { bandAsks, lineAsks, shownGroups, type Question } from './asks'
import { bestOf, type Best, type Better } from './best'
import { scalarFacts } from './facts'
import { specTitle, xKind } from './labels'
import { cardMarks } from './marks'
import { drawnBands, drawnLines, type GroupLook } from './picture'
import { sources, type ScalarSpec, type Source } from './sources'
import { valueCards } from './value_cards'
import { fixedRange, setScale, shownView, zoomCard } from './zoom'

export class Card {
  readonly page: Page
  readonly #annotations: Annotations
  readonly #of: () => ScalarSpec
  readonly #valueCards: SvelteSet<object>
  /** The last answer; null before the first. */
  loaded = $state.raw<Loaded | null>(null)
  /** Of the plot, in CSS pixels; 0 until it is known. */
  plotWidth = $state(0)

  constructor(page: Page, annotations: Annotations, of: () => ScalarSpec) {
    this.page = page
    this.#annotations = annotations
    this.#of = of
    this.#valueCards = valueCards(page)
  }

  readonly spec = $derived.by(() => this.#of())
  readonly names = $derived.by(() => this.spec.names)
  readonly title = $derived.by(() => specTitle(this.spec))
  /** The one tag of a card that people did not put together. */
  readonly tag = $derived.by(() => (this.names.length === 1 ? (this.spec.tags[0] ?? null) : null))

  readonly #x = $derived.by(() => this.page.view.values.x)
  readonly #smoothing = $derived.by(() => this.page.view.values.smoothing)
  readonly #ownZoom = $derived.by(() => zoomOf(this.page.view.values, this.spec.id))
  readonly #range = $derived.by(() => this.view.x)
  readonly aggregate = $derived.by(() => this.page.view.values.aggregate)
  readonly kind = $derived.by(() => xKind(this.#x))
  readonly yScale = $derived.by(() => yScaleOf(this.page.view.values, this.spec.id))
  readonly fixed = $derived.by(() => fixedRange(this.page.view.facts(scalarFacts).values.yRanges, this.names))

  /** What part is shown. */
  readonly view = $derived.by<ChartView>(() => {
    const { window, isLinked } = this.page.view.values
    return shownView({ window, isLinked }, this.#ownZoom)
  })
  readonly isZoomed = $derived.by(() => this.view.x !== null || this.view.y !== null)

  readonly sources = $derived.by<readonly Source[]>(() => {
    const { curation, styles, selection, statuses } = this.page
    return sources(this.spec, selection.shown, {
      title: (entry) => curation.of(entry).title ?? entry,
      style: (entry) => styles.of(entry),
      isGrowing: (entry) => statuses.writing.has(entry.name),
    })
  })
  readonly sourceByKey = $derived.by<ReadonlyMap<string, Source>>(
    () => new Map(this.sources.map((source) => [source.key, source])),
  )

  /** Groups that are drawn as bands; null when each run is drawn for itself. */
  readonly groups = $derived.by<readonly Group[] | null>(() => {
    if (this.aggregate === null) return null
    const { groups, selection } = this.page
    const shown = new Set(selection.shown.map((entry) => entry.name))
    return shownGroups(
      groups.all.filter((group) => !group.isRest),
      (run) => shown.has(run),
    )
  })
  readonly groupLooks = $derived.by<ReadonlyMap<string, GroupLook>>(() => {
    const looks = (this.groups ?? []).map((group): [string, GroupLook] => [
      group.key,
      { group, style: this.page.styles.group(group.key) },
    ])
    return new Map(looks)
  })
  /** Run → key of its group. */
  readonly #groupOf = $derived.by<ReadonlyMap<string, string>>(
    () => new Map((this.groups ?? []).flatMap((group) => group.entries.map((entry) => [entry.name, group.key]))),
  )
  /** Sources that have a line: all, or with bands those that are members or in no group. */
  readonly #lineSources = $derived.by<readonly Source[]>(() => {
    if (this.aggregate === null || this.aggregate.members) return this.sources
    return this.sources.filter((source) => !this.isMember(source.entry))
  })

  readonly asks = $derived.by<readonly LineRequest[]>(() =>
    this.plotWidth === 0 ? [] : this.asksFor(this.#range, Math.ceil(this.plotWidth * devicePixelRatio)),
  )

  readonly data = $derived.by<ChartData>(() => {
    const { loaded, aggregate } = this
    if (loaded === null) return { lines: [], bands: [], marks: [] }
    const lines = drawnLines(loaded, this.#lineSources, (source) => this.#lineStyle(source))
    const bands = aggregate === null ? [] : drawnBands(loaded, this.groupLooks, this.names, aggregate)
    const { notes } = this.page.curation
    const { restarts, gaps } = this.#annotations
    const marks = cardMarks({
      names: this.names,
      kind: this.kind,
      sources: this.sourceByKey,
      lines,
      notes,
      restarts,
      gaps,
      best: this.best,
    })
    return { lines, bands, marks }
  })

  /** Whether low or high is good; null when nobody said and the name does not tell. */
  readonly better = $derived.by<Better | null>(() =>
    this.tag === null ? null : (this.page.curation.better.get(this.tag) ?? direction(this.tag)),
  )
  readonly best = $derived.by<Best | null>(() => {
    if (this.loaded === null || this.better === null) return null
    const drawn = this.loaded.lines.map((line) => ({ key: `${line.run}\0${line.tag}`, data: line.data }))
    return bestOf(
      drawn.filter(({ key }) => this.sourceByKey.has(key)),
      this.better,
      this.view.x,
    )
  })
  readonly bestSource = $derived.by(() => (this.best === null ? null : (this.sourceByKey.get(this.best.key) ?? null)))

  readonly options = $derived.by<ChartOptions>(() => {
    const { partition, showEnvelope, showRaw, showBest } = this.page.settings.values
    const { xScale, ignoreOutliers } = this.page.view.values
    const yRange: Range | null = this.fixed?.range ?? null
    return {
      xKind: this.kind,
      xScale,
      yScale: this.yScale,
      ignoreOutliers,
      better: this.better,
      yRange,
      partition,
      showEnvelope,
      showRaw,
      showBest,
    }
  })

  /** The chosen step or range, where the axis has steps. */
  readonly selected = $derived.by<Selected>(() => (this.kind === 'step' ? this.page.view.values.selected : null))

  /** Whether the values there are listed in the lower part of the card. */
  readonly showsValues = $derived.by<boolean>(
    () => this.selected !== null && (this.page.settings.values.valuesEverywhere || this.#valueCards.has(this)),
  )

  /** How many lines and bands have values to list. */
  readonly valueCount = $derived.by<number>(
    () => this.data.bands.length + this.data.lines.filter(({ style }) => style.role !== 'member').length,
  )

  /** Lines that the tooltip compares others with: those of the first pinned run. */
  readonly reference = $derived.by<string | null>(() => {
    const { curation, selection } = this.page
    const pinned = selection.shown.find((entry) => curation.of(entry.name).pinned === true)
    return pinned === undefined ? null : (this.sources.find((source) => source.entry === pinned.name)?.key ?? null)
  })

  /** The questions for all that is drawn, in a range. */
  asksFor(range: Range | null, columns: number): LineRequest[] {
    const question: Question = { x: this.#x, range, columns, smoothing: this.#smoothing }
    const lines = lineAsks(this.spec, this.#lineSources, question).filter((ask) => ask.runs.length > 0)
    if (this.aggregate === null || this.groups === null || this.groups.length === 0) return lines
    return [...bandAsks(this.spec, this.groups, this.aggregate, question), ...lines]
  }

  /** Whether a band stands for the run. */
  isMember(entry: string): boolean {
    return this.#groupOf.has(entry)
  }

  /** The run of the list that a line or band of the chart belongs to; null for bands. */
  entryOf(key: string): string | null {
    return this.sourceByKey.get(key)?.entry ?? null
  }

  /** Keys of a run's line, or of the band that it is in. */
  keyOf(entry: string): string | null {
    const group = this.#groupOf.get(entry)
    if (group !== undefined) return `${group}\0${this.names[0] ?? ''}`
    const drawn = new Set(this.data.lines.map((line) => line.key))
    return this.sources.find((source) => source.entry === entry && drawn.has(source.key))?.key ?? null
  }

  zoom(view: ChartView): void {
    zoomCard(this.page.view, this.spec.id, view)
  }

  fit(): void {
    this.zoom({ x: null, y: null })
  }

  setScale(scale: Scale): void {
    setScale(this.page.view, this.spec.id, scale)
  }

  /** A step, or none if it was the chosen one; with `isRange` all from the chosen one to this. */
  pick(step: number, isRange = false): void {
    const { selected } = this.page.view.values
    if (isRange && selected !== null && selected.from !== step) {
      this.select(selected.from, step)
      return
    }
    const isSame = selected?.from === step && selected.to === null
    if (!isSame) this.#chosenHere()
    this.page.view.set('selected', isSame ? null : { from: step, to: null })
  }

  /** A range, whichever end was named first. */
  select(one: number, other: number): void {
    this.#chosenHere()
    this.page.view.set('selected', { from: Math.round(Math.min(one, other)), to: Math.round(Math.max(one, other)) })
  }

  toggleValues(): void {
    if (!this.#valueCards.delete(this)) this.#valueCards.add(this)
  }

  #chosenHere(): void {
    // The first choice after none.
    if (this.page.view.values.selected === null) this.#valueCards.clear()
    this.#valueCards.add(this)
  }

  #lineStyle(source: Source): LineStyle {
    const group = this.#groupOf.get(source.entry)
    return group === undefined ? source.style : { ...source.style, role: 'member' }
  }
}
