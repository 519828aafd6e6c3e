// One colour and dash for each run, the same everywhere: a function of the runs, of what people chose and of the link. Nothing
// is remembered, so that filtering, hiding, trashing, undoing, reloading and opening a link give the same colours.
//
//   hue     of every run of the board, shown or hidden, by its name and the order in which runs started
//   lead    the shown runs that are drawn in their hue: pinned, best, diverged and running ones first; all others are grey
//   dash    distinguishes leads of one hue: the one that started first is solid
import { mix, parseHex } from '../lib/colour'
import { hash, hues } from '../lib/hues'
import { BULK, PALETTES, PAPER, sequential, type Theme } from '../lib/palettes'
import { partOf, scaleOf, type Scale } from '../lib/scale'
import { DASHES, type Dash } from '../lib/traces'
import { captured } from './captures'
import type { Columns, Value } from './columns.svelte'
import type { Curation } from './curation.svelte'
import type { Group, Groups } from './groups.svelte'
import { RANKS, type Health } from './health.svelte'
import type { Runs } from './runs.svelte'
import type { Selection } from './selection.svelte'
import type { Settings } from './settings.svelte'
import type { Brush, ColourBy } from './facts/core'
import type { View } from './view.svelte'

export interface RunStyle {
  /** `#rrggbb`, of the theme in force. */
  readonly colour: string
  readonly dash: Dash
  /** `context` is drawn as a grey hairline without raw trace, `member` as one in its colour. */
  readonly role: 'lead' | 'context' | 'member'
  /** Whether the colour identifies the run: grey does not. */
  readonly isColoured: boolean
}

export interface Needs {
  readonly runs: Pick<Runs, 'started'>
  readonly selection: Pick<Selection, 'shown' | 'isPinned'>
  readonly groups: Pick<Groups, 'all' | 'byRun' | 'keyOf'>
  readonly curation: Pick<Curation, 'of'>
  readonly settings: Pick<Settings, 'values'>
  readonly view: Pick<View, 'values'>
  readonly theme: { readonly current: Theme }
  readonly columns: Pick<Columns, 'get'>
  readonly health: Pick<Health, 'ranks'>
}

/** The colour that means no value at all; people can choose it, too. */
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

  constructor(page: Needs) {
    this.#page = page
  }

  /** What colour means; bands are of groups, so that members have the colours of their group. */
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

  /** The range of the column that colours represent; null when they represent something else, or text. */
  readonly scale = $derived.by<Scale | null>(() => {
    const { colourBy } = this.#page.view.values
    if (colourBy.kind !== 'column') return null
    const valueOf = this.#valuesOf(colourBy.column)
    const values = this.#page.selection.shown.map(({ name }) => valueOf(name)).filter((value) => value !== null)
    return values.some((value) => typeof value === 'string') ? null : scaleOf(values.map(Number))
  })

  /** Of every run of the board, whether it is shown or not. */
  readonly #hues = $derived.by<ReadonlyMap<string, number>>(() => {
    const { runs, curation } = this.#page
    const fixed = new Map(
      runs.started.flatMap((name) => {
        const hue = hueNamed(curation.of(name).colour)
        return hue === null ? [] : [[name, hue]]
      }),
    )
    return hues(runs.started, this.#palette.length, fixed)
  })

  #leadsBefore: readonly string[] = []
  /** The runs that are drawn in a hue of their own; the same array while it holds the same names, as values change. */
  readonly #leads = $derived.by<readonly string[]>(() => {
    const { runs, selection, curation, settings, health } = this.#page
    const colourOf = (name: string): string | undefined => curation.of(name).colour
    const able = new Set(selection.shown.flatMap(({ name }) => (colourOf(name) === GREY ? [] : [name])))
    const names = runs.started.filter((name) => able.has(name))
    const limit = this.kind === 'run' ? settings.values.colouredRuns : 0
    const rankOf = names.length <= limit || limit === 0 ? () => RANKS.others : health.ranks(names)
    const leads = chosenLeads(
      names,
      limit,
      (name) => (selection.isPinned(name) || colourOf(name) !== undefined ? RANKS.always : rankOf(name)),
      (name) => this.#hues.get(name) ?? 0,
    )
    const before = this.#leadsBefore
    const isSame = leads.length === before.length && leads.every((name, at) => name === before[at])
    return isSame ? before : (this.#leadsBefore = leads)
  })
  readonly #ownInks = $derived.by<ReadonlyMap<string, Ink>>(() => this.#inks(this.#leads, this.#hues))

  /** Of groups, or of what several runs share: captured texts, text values of a column. */
  readonly #sharedInks = $derived.by<ReadonlyMap<string, Ink>>(() => {
    const { runs, groups, selection } = this.#page
    // Keys of all runs take hues, in the order in which their first runs started, and those in sight are drawn.
    const keyOf = this.kind === 'group' ? groups.keyOf : this.#keyOf
    if (keyOf === null) return new Map()
    const keys = [...new Set(runs.started.map(keyOf).filter((key) => key !== null))]
    const seen =
      this.kind === 'group' ? groups.all.map((group) => group.key) : selection.shown.map(({ name }) => keyOf(name))
    const isSeen = new Set(seen)
    return this.#inks(
      keys.filter((key) => isSeen.has(key)),
      hues(keys, this.#palette.length),
    )
  })

  /** What decides the shared colour of a run; null where each has its own. */
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
      // Parts are distinguished by their dashes.
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
    const hue = this.#hues.get(run) ?? hash(run) % this.#palette.length
    return style.isColoured ? style.colour : (this.#palette[hue] ?? style.colour)
  }

  /** Colours of the palette in force, in the order in which people can choose them. */
  get choices(): readonly string[] {
    return this.#palette
  }

  /** The colour of a value, where colours represent values. */
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
    if (colour === undefined || hueNamed(colour) !== null) return style
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

  /** Those of one hue have different dashes, in the order of `names`. */
  #inks(names: readonly string[], hueOf: ReadonlyMap<string, number>): ReadonlyMap<string, Ink> {
    const drawn = new Map<number, number>()
    return new Map(
      names.map((name) => {
        const hue = hueOf.get(name) ?? 0
        const before = drawn.get(hue) ?? 0
        drawn.set(hue, before + 1)
        const colour = this.#palette[hue] ?? this.#grey.colour
        return [name, { colour, dash: DASHES[before % DASHES.length] ?? 'solid' }]
      }),
    )
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

/** The hue that `run-7` names; null for anything else. */
export function hueNamed(colour: string | undefined): number | null {
  const number = /^run-([1-9]\d*)$/.exec(colour ?? '')?.[1]
  return number === undefined ? null : Number(number) - 1
}

/**
 * Those of `names` that are drawn in colour; names and answer in the order in which runs started. All runs of rank
 * `always`, then, up to `limit`, lower ranks before higher ones and newer runs before older ones; of the runs of rank
 * `others`, one for each hue that is not drawn yet comes first.
 */
export function chosenLeads(
  names: readonly string[],
  limit: number,
  rankOf: (name: string) => number,
  hueOf: (name: string) => number,
): readonly string[] {
  const newestFirst = names.map((name) => ({ name, rank: rankOf(name) })).reverse()
  const ranked = newestFirst.sort((a, b) => a.rank - b.rank)
  const chosen = new Set<string>()
  const drawn = new Set<number>()
  const choose = (name: string): void => {
    chosen.add(name)
    drawn.add(hueOf(name))
  }
  for (const { name, rank } of ranked)
    if (rank === RANKS.always || (rank < RANKS.others && chosen.size < limit)) choose(name)
  for (const { name } of ranked) if (chosen.size < limit && !drawn.has(hueOf(name))) choose(name)
  for (const { name } of ranked) if (chosen.size < limit) choose(name)
  return names.filter((name) => chosen.has(name))
}
