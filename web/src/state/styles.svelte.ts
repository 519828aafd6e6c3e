// One colour and dash for each run, the same everywhere.
import { mix, parseHex } from '../lib/colour'
import { natural } from '../lib/natural'
import { BULK, PALETTES, PAPER, sequential, type Theme } from '../lib/palettes'
import { partOf, scaleOf, type Scale } from '../lib/scale'
import { hash, slots } from '../lib/slots'
import { DASHES, type Dash } from '../lib/traces'
import { captured } from './captures'
import type { Columns, Value } from './columns.svelte'
import type { Curation } from './curation.svelte'
import type { Group, Groups } from './groups.svelte'
import type { Entry } from './runs.svelte'
import type { Selection } from './selection.svelte'
import type { Settings } from './settings.svelte'
import type { Brush, ColourBy, View } from './view.svelte'

export interface RunStyle {
  /** `#rrggbb`, of the theme in force. */
  readonly colour: string
  readonly dash: Dash
  /** `context` is drawn as a grey hairline without raw trace, `member` as one in its colour. */
  readonly role: 'lead' | 'context' | 'member'
  /** Whether the colour tells anything: grey does not. */
  readonly isColoured: boolean
}

export interface Needs {
  readonly selection: Pick<Selection, 'shown' | 'isPinned'>
  readonly groups: Pick<Groups, 'all' | 'byRun'>
  readonly curation: Pick<Curation, 'of'>
  readonly settings: Pick<Settings, 'values'>
  readonly view: Pick<View, 'values'>
  readonly theme: { readonly current: Theme }
  readonly columns: Pick<Columns, 'get'>
}

/** The colour that stands for no value at all: people can choose it, too. */
export const GREY = 'grey'

// More lines in colour than this are hairlines, which cost a tenth.
const MOST_THICK = 24

type Kind = ColourBy['kind']
interface Ink {
  readonly colour: string
  readonly dash: Dash
}

export class Styles {
  readonly #page: Needs
  // Runs and groups keep their places in the palette while others come and go.
  #places: ReadonlyMap<string, number> = new Map()
  #leads: ReadonlySet<string> = new Set()

  constructor(page: Needs) {
    this.#page = page
  }

  /** What colour stands for; bands are of groups, so that members have the colours of their group. */
  readonly kind = $derived.by<Kind>(() => {
    const { colourBy, aggregate } = this.#page.view.values
    return colourBy.kind === 'run' && aggregate !== null ? 'group' : colourBy.kind
  })

  readonly #palette = $derived.by<readonly string[]>(
    () => PALETTES[this.#page.settings.values.palette][this.#page.theme.current],
  )
  readonly #grey = $derived.by<RunStyle>(() => ({
    colour: BULK[this.#page.theme.current],
    dash: 'solid',
    role: 'context',
    isColoured: false,
  }))

  /** The range of the column that colours stand for; null when they stand for something else, or for words. */
  readonly scale = $derived.by<Scale | null>(() => {
    const { colourBy } = this.#page.view.values
    if (colourBy.kind !== 'column') return null
    const valueOf = this.#valuesOf(colourBy.column)
    const values = this.#page.selection.shown.map(({ name }) => valueOf(name)).filter((value) => value !== null)
    return values.some((value) => typeof value === 'string') ? null : scaleOf(values.map(Number))
  })

  /** The runs with a place of their own in the palette. */
  readonly #ownInks = $derived.by<ReadonlyMap<string, Ink>>(() => {
    const { selection, curation, settings } = this.#page
    const colourOf = (name: string): string | undefined => curation.of(name).colour
    const isFirst = (name: string): boolean => selection.isPinned(name) || colourOf(name) !== undefined
    const able = selection.shown.filter(({ name }) => colourOf(name) !== GREY)
    const limit = this.kind === 'run' ? settings.values.colouredRuns : 0
    const leads = chosenLeads(able, limit, isFirst, this.#leads)
    if (this.kind === 'run') this.#leads = new Set(leads)
    const fixed = new Map(
      leads.flatMap((name) => {
        const place = placeNamed(colourOf(name))
        return place === null ? [] : [[name, place]]
      }),
    )
    return this.#inks(leads, '', fixed)
  })

  /** Of groups, or of what stands for several runs: captured texts, words of a column. */
  readonly #sharedInks = $derived.by<ReadonlyMap<string, Ink>>(() => {
    if (this.kind === 'group') {
      const keys = this.#page.groups.all.filter((group) => !group.isRest).map((group) => group.key)
      return this.#inks(keys.sort(natural), 'group:')
    }
    const keyOf = this.#keyOf
    if (keyOf === null) return new Map()
    const keys = new Set(this.#page.selection.shown.map(({ name }) => keyOf(name)).filter((key) => key !== null))
    return this.#inks([...keys].sort(natural), `${this.kind}:`)
  })

  /** What tells the shared colour of a run; null where each has its own. */
  readonly #keyOf = $derived.by<((name: string) => string | null) | null>(() => {
    const { colourBy } = this.#page.view.values
    if (this.kind === 'group') {
      const { byRun } = this.#page.groups
      return (name) => {
        const group = byRun.get(name)
        return group === undefined || group.isRest ? null : group.key
      }
    }
    if (colourBy.kind === 'regex') return captured(colourBy.pattern)
    if (colourBy.kind !== 'column' || this.scale !== null) return null
    const valueOf = this.#valuesOf(colourBy.column)
    return (name) => {
      const value = valueOf(name)
      return value === null ? null : String(value)
    }
  })

  /** Of the runs that are shown; reading it makes an effect depend on all styles. */
  readonly all = $derived.by<ReadonlyMap<string, RunStyle>>(() => {
    const { selection, view } = this.#page
    const isBrushed = this.#brushed(view.values.colourBy)
    const colours = selection.shown.map(
      (entry) => [entry, isBrushed(entry.name) ? this.#ink(entry.name) : null] as const,
    )
    const isThick = colours.reduce((sum, [, ink]) => sum + (ink === null ? 0 : 1), 0) <= MOST_THICK
    const styled = new Map<string, RunStyle>()
    for (const [entry, ink] of colours) {
      const role = isThick || this.#ownInks.has(entry.name) ? 'lead' : 'member'
      const style = this.#style(entry.name, ink === null ? this.#grey : { ...ink, role, isColoured: true })
      styled.set(entry.name, style)
      // Parts are told apart by their dashes.
      entry.parts.forEach((part, at) =>
        styled.set(part.run.name, { ...style, dash: DASHES[(at + 1) % DASHES.length] ?? 'solid' }),
      )
    }
    return styled
  })

  /** How many of the shown runs have a colour. */
  readonly coloured = $derived.by<number>(() =>
    this.#page.selection.shown.reduce((sum, { name }) => sum + (this.of(name).isColoured ? 1 : 0), 0),
  )

  of(run: string): RunStyle {
    return this.all.get(run) ?? this.#grey
  }

  /** Of the band of a group. */
  group(key: string): RunStyle {
    const shared = this.#sharedInks.get(key)
    if (this.kind === 'group') return shared === undefined ? this.#grey : { ...shared, role: 'lead', isColoured: true }
    const group = this.#page.groups.all.find((other) => other.key === key)
    return group === undefined ? this.#grey : this.#middle(group)
  }

  /** The colour that a run has or, in grey now, would have: for the one that is pointed at. */
  identity(run: string): string {
    const style = this.of(run)
    const place = this.#places.get(this.#slot(run)) ?? hash(run)
    return style.isColoured ? style.colour : (this.#palette[place % this.#palette.length] ?? style.colour)
  }

  /** Colours of the palette in force, in the order in which people can choose them. */
  get choices(): readonly string[] {
    return this.#palette
  }

  /** The colour for a value, where colours stand for values. */
  valueColour(value: number): string {
    return this.scale === null ? this.#grey.colour : sequential(this.#page.theme.current, partOf(this.scale, value))
  }

  #ink(name: string): Ink | null {
    const own = this.#ownInks.get(name)
    if (own !== undefined || this.kind === 'run') return own ?? null
    if (this.#keyOf !== null) {
      const key = this.#keyOf(name)
      const shared = key === null ? undefined : this.#sharedInks.get(key)
      return shared === undefined ? null : this.#tinted(shared)
    }
    const { colourBy } = this.#page.view.values
    const value = colourBy.kind === 'column' ? numberOf(this.#valuesOf(colourBy.column)(name)) : NaN
    return Number.isFinite(value) ? { colour: this.valueColour(value), dash: 'solid' } : null
  }

  /** Members step back behind the band of their group. */
  #tinted(ink: Ink): Ink {
    if (this.#page.view.values.aggregate === null) return ink
    return { ...ink, colour: mix(ink.colour, PAPER[this.#page.theme.current], 0.5) }
  }

  /** With what people chose for the run. */
  #style(name: string, usual: RunStyle): RunStyle {
    const { colour, dash } = this.#page.curation.of(name)
    const style = dash === undefined ? usual : { ...usual, dash }
    if (colour === undefined || placeNamed(colour) !== null) return style
    return parseHex(colour) === null
      ? { ...this.#grey, dash: style.dash }
      : { ...style, colour, role: 'lead', isColoured: true }
  }

  #middle(group: Group): RunStyle {
    const { colourBy } = this.#page.view.values
    if (colourBy.kind !== 'column' || this.scale === null) return this.of(group.entries[0]?.name ?? '')
    const valueOf = this.#valuesOf(colourBy.column)
    const values = group.entries.map(({ name }) => numberOf(valueOf(name))).filter(Number.isFinite)
    if (values.length === 0) return this.#grey
    const mean = values.reduce((sum, value) => sum + value, 0) / values.length
    return { colour: this.valueColour(mean), dash: 'solid', role: 'lead', isColoured: true }
  }

  #inks(names: readonly string[], kind: string, fixed?: ReadonlyMap<string, number>): ReadonlyMap<string, Ink> {
    const size = this.#palette.length
    const before = new Map(
      names.flatMap((name) => {
        const place = this.#places.get(this.#slot(kind + name))
        return place === undefined ? [] : [[name, place]]
      }),
    )
    const found = slots(names, size, before, fixed)
    // A place that was chosen is no longer the run's when the choice is taken back.
    const kept = [...found]
      .filter(([name]) => fixed?.has(name) !== true)
      .map(([name, place]) => [this.#slot(kind + name), place] as const)
    this.#places = new Map([...this.#places, ...kept])
    return new Map(
      [...found].map(([name, place]) => [
        name,
        {
          colour: this.#palette[place % size] ?? this.#grey.colour,
          dash: DASHES[Math.floor(place / size) % DASHES.length] ?? 'solid',
        },
      ]),
    )
  }

  /** Places in one palette say nothing about another, in which a run has the colour that it would have had from the start. */
  #slot(name: string): string {
    return `${String(this.#palette.length)} ${name}`
  }

  #valuesOf(column: string): (run: string) => Value {
    const found = this.#page.columns.get(column)
    return found === null ? () => null : (run) => found.value(run)
  }

  #brushed(colourBy: ColourBy): (name: string) => boolean {
    const brush: Brush | undefined = colourBy.kind === 'column' ? colourBy.brush : undefined
    if (brush === undefined) return () => true
    const valueOf = this.#valuesOf(brush.column)
    const [from, to] = brush.range
    return (name) => {
      const value = numberOf(valueOf(name))
      return (value >= from && value <= to) || this.#ownInks.has(name)
    }
  }
}

/** Yes is 1, no is 0; NaN for words and for nothing. */
function numberOf(value: Value): number {
  return value === null || typeof value === 'string' ? NaN : Number(value)
}

/** The place of `run-7` in the palette; null for anything else. */
export function placeNamed(colour: string | undefined): number | null {
  const number = /^run-([1-9]\d*)$/.exec(colour ?? '')?.[1]
  return number === undefined ? null : Number(number) - 1
}

/** Those drawn in colour, oldest first: the first ones all, then those that were, then the newest, up to `limit`. */
export function chosenLeads(
  entries: readonly Entry[],
  limit: number,
  isFirst: (name: string) => boolean,
  before: ReadonlySet<string>,
): readonly string[] {
  const begun = (entry: Entry): number => entry.run.start_time ?? Infinity
  const ranked = entries.map((entry) => ({ entry, rank: isFirst(entry.name) ? 0 : before.has(entry.name) ? 1 : 2 }))
  ranked.sort((a, b) => (a.rank !== b.rank ? a.rank - b.rank : newer(begun(b.entry), begun(a.entry))))
  const chosen = ranked.filter(({ rank }, at) => rank === 0 || at < limit).map(({ entry }) => entry)
  return chosen.sort((a, b) => newer(begun(a), begun(b))).map(({ name }) => name)
}

function newer(a: number, b: number): number {
  return a === b ? 0 : a - b
}
