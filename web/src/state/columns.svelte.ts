// The columns of the rail and of the run table: hyper-parameters, metrics, traces and what is known about a run.
import { direction, type Direction } from '../lib/direction'
import { natural } from '../lib/natural'
import { duration, moment, step, value as numeral } from '../lib/numerals'
import type { Curation } from './curation.svelte'
import type { HParams } from './hparams.svelte'
import type { Runs } from './runs.svelte'
import type { Summaries, Summary } from './summaries.svelte'
import type { Tags } from './tags.svelte'

export type Value = number | string | boolean | null
export type Section = 'hparam' | 'metric' | 'about'
export type Stat = 'last' | 'best' | 'min' | 'max' | 'step' | 'first_nan'
export type About = 'name' | 'duration' | 'status' | 'tags' | 'note' | 'points' | 'start'

export interface Column {
  /** `hparam:lr`, `metric:val/acc:max`, `trace:loss`, `about:duration`: in links and in what the browser remembers. */
  readonly id: string
  readonly section: Section
  /** A trace is a picture; it has no value. */
  readonly isTrace: boolean
  /** The hyper-parameter, the tag, or what it is about. */
  readonly subject: string
  readonly stat: Stat | null
  readonly title: string
  /** In full, for tooltips and files. */
  readonly longTitle: string
  /** Numbers are right-aligned. */
  readonly isNumeric: boolean
  /** Which value is the best one; null where none is. */
  readonly better: Direction | null
  value(run: string): Value
  /** `size` is the max of the column, so that all have the same digits after the point. */
  format(value: Value, size?: number): string
}

/** What columns are made from. */
export interface Sources {
  readonly runs: Pick<Runs, 'byName'>
  readonly tags: Pick<Tags, 'all'>
  readonly hparams: Pick<HParams, 'names' | 'byRun' | 'of'>
  readonly summaries: Pick<Summaries, 'of'>
  readonly curation: Pick<Curation, 'of' | 'better'>
  /** `running`, `silent`, `finished`, ...: of a run. */
  readonly statuses?: { of(run: string): string }
}

export const STATS: readonly Stat[] = ['last', 'best', 'min', 'max', 'step', 'first_nan']
export const ABOUT: readonly About[] = ['duration', 'status', 'tags', 'note', 'points', 'start']

const DEFAULT_HPARAMS = 5
const ABOUT_TITLES: Readonly<Record<About, string>> = {
  name: 'run',
  duration: 'duration',
  status: 'status',
  tags: 'tags',
  note: 'note',
  points: 'points',
  start: 'started',
}
const STAT_TITLES: Readonly<Record<Stat, string>> = {
  last: 'last',
  best: 'best',
  min: 'min',
  max: 'max',
  step: 'at step',
  first_nan: 'first NaN',
}

export class Columns {
  readonly #sources: Sources
  /** Last parts of tags that belong to one tag alone: `val/acc` is called `acc`. */
  readonly #shortNames = $derived.by(() => uniqueTails(this.#sources.tags.all.map(({ tag }) => tag)))
  /** Hyper-parameters of which all values are numbers. */
  readonly #numeric = $derived.by(() => numericNames(this.#sources.hparams))
  /** Those that were asked for, until a title or a direction may be another one. */
  readonly #made = $derived.by(() => ({
    of: new Map<string, Column | null>(),
    from: [this.#shortNames, this.#numeric, this.#sources.curation.better],
  }))
  /** Hyper-parameters that are not the same in all runs that have some. */
  readonly varying = $derived.by<readonly string[]>(() => {
    const { names, byRun } = this.#sources.hparams
    const runs = [...byRun.keys()]
    return names.filter((name) => new Set(runs.map((run) => byRun.get(run)?.get(name))).size > 1)
  })
  /** Of those that vary, the ones that distinguish most runs: with several values, and in as many runs as possible. */
  readonly #distinguishing = $derived.by<readonly string[]>(() => {
    const { byRun } = this.#sources.hparams
    const found = this.varying.map((name) => {
      const values = [...byRun.values()].map((hparams) => hparams.get(name)).filter((value) => value !== undefined)
      return { name, count: new Set(values).size < 2 ? 0 : values.length }
    })
    return found
      .filter(({ count }) => count > 0)
      .sort((a, b) => b.count - a.count)
      .map(({ name }) => name)
  })
  readonly #ranked = $derived.by(() =>
    this.#sources.tags.all
      .map(({ tag, runs }) => ({ tag, weight: weight(tag) * (1 + Math.log2(1 + runs)) }))
      .sort((a, b) => b.weight - a.weight),
  )
  /** The tags of which some values are better than others, those that runs are judged by first. */
  readonly judged = $derived.by<readonly string[]>(() =>
    this.#ranked.map(({ tag }) => tag).filter((tag) => this.better(tag) !== null),
  )
  /** Two metrics that runs are judged by, the one for generalisation first. */
  readonly mainTags = $derived.by<readonly string[]>(() => {
    const ranked = this.#ranked
    const first = ranked[0]
    if (first === undefined) return []
    // The second looks at something else, if there is anything else.
    const other =
      ranked.find(({ tag }) => this.better(tag) !== this.better(first.tag) && this.better(tag) !== null) ?? ranked[1]
    return other === undefined ? [first.tag] : [first.tag, other.tag]
  })
  /** What the table shows by default. */
  readonly tableDefaults = $derived.by<readonly string[]>(() => {
    const [first, second] = this.mainTags
    const metrics =
      first === undefined
        ? []
        : [`metric:${first}:best`, `metric:${first}:last`, `metric:${first}:step`, `trace:${first}`]
    if (second !== undefined) metrics.push(`metric:${second}:best`, `trace:${second}`)
    const usable = metrics.map((id) =>
      this.get(id)?.stat === 'best' && this.get(id)?.better === null ? id.replace(/best$/, 'last') : id,
    )
    return [
      ...this.#distinguishing.slice(0, DEFAULT_HPARAMS).map((name) => `hparam:${name}`),
      ...new Set(usable),
      'about:duration',
      'about:tags',
      'about:note',
    ]
  })
  /** What the rail shows by default: two values and a trace. */
  readonly railDefaults = $derived.by<readonly string[]>(() => {
    const [first, second] = this.mainTags
    if (first === undefined) return []
    const values = [second ?? first, first].map((tag) => `metric:${tag}:${this.better(tag) === null ? 'last' : 'best'}`)
    return [...new Set(values), `trace:${second ?? first}`]
  })
  /** Every column there could be, in the order of a picker. */
  readonly all = $derived.by<readonly string[]>(() => [
    ...this.#sources.hparams.names.map((name) => `hparam:${name}`),
    ...this.#sources.tags.all.flatMap(({ tag }) => [...STATS.map((stat) => `metric:${tag}:${stat}`), `trace:${tag}`]),
    ...ABOUT.map((about) => `about:${about}`),
  ])

  constructor(sources: Sources) {
    this.#sources = sources
  }

  /** Null for ids that say nothing; a column of a name that no run has is empty. */
  get(id: string): Column | null {
    const made = this.#made.of
    let column = made.get(id)
    if (column === undefined) made.set(id, (column = this.#make(id)))
    return column
  }

  /** Those of the ids that say something. */
  list(ids: readonly string[]): readonly Column[] {
    return ids.map((id) => this.get(id)).filter((column) => column !== null)
  }

  /** The tags whose summaries these columns read: for `Summaries.want`. */
  tagsOf(ids: readonly string[]): readonly string[] {
    return [
      ...new Set(
        this.list(ids)
          .filter(({ section, isTrace }) => section === 'metric' && !isTrace)
          .map(({ subject }) => subject),
      ),
    ]
  }

  /** Which values of a tag are good ones; what people said counts before its name. */
  better(tag: string): Direction | null {
    return this.#sources.curation.better.get(tag) ?? direction(tag)
  }

  /** For `sort`, of names of runs: what has no value comes last either way. */
  compare(id: string, isDescending: boolean): (a: string, b: string) => number {
    const column = this.get(id)
    if (column === null) return natural
    return (a, b) => compareValues(column.value(a), column.value(b), isDescending) || natural(a, b)
  }

  #make(id: string): Column | null {
    const [kind, rest] = [id.slice(0, id.indexOf(':')), id.slice(id.indexOf(':') + 1)]
    if (rest === '') return null
    if (kind === 'hparam') return this.#hparam(id, rest)
    if (kind === 'trace') return this.#trace(id, rest)
    if (kind === 'about') return isAbout(rest) ? this.#about(id, rest) : null
    const stat = rest.slice(rest.lastIndexOf(':') + 1)
    const tag = rest.slice(0, rest.lastIndexOf(':'))
    return kind === 'metric' && tag !== '' && isStat(stat) ? this.#metric(id, tag, stat) : null
  }

  #hparam(id: string, name: string): Column {
    const { hparams } = this.#sources
    return {
      id,
      section: 'hparam',
      isTrace: false,
      subject: name,
      stat: null,
      better: null,
      title: name.slice(name.lastIndexOf('/') + 1) || name,
      longTitle: name,
      isNumeric: this.#numeric.has(name),
      value: (run) => hparams.of(run).get(name) ?? null,
      format: (value) => (typeof value === 'number' ? exact(value) : value === null ? '' : String(value)),
    }
  }

  #metric(id: string, tag: string, stat: Stat): Column {
    const { summaries } = this.#sources
    const better = this.better(tag)
    const isStep = stat === 'step' || stat === 'first_nan'
    const read = reading(stat, better)
    return {
      id,
      section: 'metric',
      isTrace: false,
      subject: tag,
      stat,
      title: stat === 'step' ? STAT_TITLES.step : `${this.#shortNames.get(tag) ?? tag} ${STAT_TITLES[stat]}`,
      longTitle: stat === 'step' ? `step of best ${tag}` : `${tag} ${STAT_TITLES[stat]}`,
      isNumeric: true,
      better: isStep ? null : better,
      value: (run) => {
        const summary = summaries.of(tag).get(run)
        return summary === undefined ? null : read(summary)
      },
      format: (value, size) => (typeof value !== 'number' ? '' : isStep ? step(value) : figure(value, size)),
    }
  }

  #trace(id: string, tag: string): Column {
    return {
      id,
      section: 'metric',
      isTrace: true,
      subject: tag,
      stat: null,
      title: tag,
      longTitle: `trace of ${tag}`,
      isNumeric: false,
      better: null,
      value: () => null,
      format: () => '',
    }
  }

  #about(id: string, about: About): Column {
    const { runs, curation, statuses } = this.#sources
    const times = (run: string): { readonly start: number | null; readonly end: number | null } => {
      const entry = runs.byName.get(run)
      return { start: entry?.run.start_time ?? null, end: entry?.run.end_time ?? null }
    }
    const readers: Readonly<Record<About, (run: string) => Value>> = {
      name: (run) => curation.of(run).title ?? run,
      duration: (run) => {
        const { start, end } = times(run)
        return start === null || end === null ? null : end - start
      },
      status: (run) => statuses?.of(run) ?? null,
      tags: (run) => curation.of(run).tags.join(', ') || null,
      note: (run) => curation.of(run).note ?? null,
      points: (run) => runs.byName.get(run)?.run.points ?? null,
      start: (run) => times(run).start,
    }
    const formats: Partial<Record<About, (value: number) => string>> = {
      duration,
      points: step,
      start: (seconds) => moment(seconds),
    }
    const format = formats[about]
    return {
      id,
      section: 'about',
      isTrace: false,
      subject: about,
      stat: null,
      better: null,
      title: ABOUT_TITLES[about],
      longTitle: ABOUT_TITLES[about],
      isNumeric: format !== undefined,
      value: readers[about],
      format: (value) =>
        value === null ? '' : typeof value === 'number' && format !== undefined ? format(value) : String(value),
    }
  }
}

function isAbout(word: string): word is About {
  return Object.hasOwn(ABOUT_TITLES, word)
}

function isStat(word: string): word is Stat {
  return Object.hasOwn(STAT_TITLES, word)
}

/** NaN and infinities can be the last value, but neither min nor max. */
function reading(stat: Stat, better: Direction | null): (summary: Summary) => number | null {
  const finite = (value: number): number | null => (Number.isNaN(value) ? null : value)
  switch (stat) {
    case 'last':
      return ({ last }) => last
    case 'min':
      return ({ min }) => finite(min)
    case 'max':
      return ({ max }) => finite(max)
    case 'best':
      return better === null ? () => null : ({ min, max }) => finite(better === 'lower' ? min : max)
    case 'step':
      return ({ lastStep, minStep, maxStep }) => (better === null ? lastStep : better === 'lower' ? minStep : maxStep)
    case 'first_nan':
      return ({ firstNan }) => firstNan
  }
}

/** Numbers by size, before texts in natural order; what is missing, or not a number, behind everything. */
export function compareValues(a: Value, b: Value, isDescending: boolean): number {
  const rank = (value: Value): number =>
    value === null ? 3 : typeof value === 'number' ? (Number.isNaN(value) ? 2 : 0) : 1
  if (rank(a) !== rank(b)) return rank(a) - rank(b)
  const order =
    typeof a === 'number' && typeof b === 'number'
      ? rank(a) === 2
        ? 0
        : a - b || (a > b ? 1 : a < b ? -1 : 0)
      : natural(String(a), String(b))
  return isDescending ? -order : order
}

/** A hyper-parameter as it is written in scripts, without the noise of single precision: `0.001`, `1e-7`, `12345`. */
export function exact(value: number): string {
  if (!Number.isFinite(value)) return numeral(value)
  return String(Number.isInteger(value) ? value : Number(value.toPrecision(7)))
}

/** A metric, with as many digits behind the point as its column has: `0.9470`. */
export function figure(value: number, size = Math.abs(value)): string {
  if (!Number.isFinite(value) || !(size >= 0.01 && size < 1000)) return numeral(value)
  return value.toFixed(size < 10 ? 4 : size < 100 ? 3 : 2).replace('-', '\u2212')
}

/** How much a tag looks like what runs are judged by. */
function weight(tag: string): number {
  const name = tag.toLowerCase()
  const way = direction(tag)
  const isHeldOut = /(^|[^a-z])(val|valid|validation|eval|test|dev)([^a-z]|$)/.test(name)
  const isMain = /(^|\/)(acc|accuracy|loss|f1|reward|mean_reward|perplexity|ppl)$/.test(name)
  return 1 + (way === null ? 0 : 4) + (isHeldOut ? 2 : 0) + (isMain ? 3 : 0) + (way === 'higher' ? 1 : 0)
}

/** Names by their last parts, as far as no other name ends so. */
function uniqueTails(names: readonly string[]): ReadonlyMap<string, string> {
  const tails = new Map<string, number>()
  const tail = (name: string): string => name.slice(name.lastIndexOf('/') + 1) || name
  for (const name of names) tails.set(tail(name), (tails.get(tail(name)) ?? 0) + 1)
  return new Map(names.map((name) => [name, tails.get(tail(name)) === 1 ? tail(name) : name]))
}

function numericNames({ names, byRun }: Sources['hparams']): ReadonlySet<string> {
  const others = new Set<string>()
  for (const hparams of byRun.values()) {
    for (const [name, value] of hparams) if (typeof value !== 'number') others.add(name)
  }
  return new Set(names.filter((name) => !others.has(name)))
}
