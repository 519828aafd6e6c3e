// Which runs the text of the filter field means: plain text, a regular expression, or an expression over columns.
import { ExpressionError } from '../lib/expression/error'
import { requirements, type Field, type Fields, type Requirement } from '../lib/expression/evaluate'
import type { Expression } from '../lib/expression/parse'
import { clauses, conditions, withCondition } from '../lib/expression/edit'
import { asExpressionError, readQuery, type Query } from '../lib/expression/query'
import { STATS, type Columns } from './columns.svelte'
import type { Curation } from './curation.svelte'
import type { HParams } from './hparams.svelte'
import type { Entry, Runs } from './runs.svelte'
import type { Summaries } from './summaries.svelte'
import type { Tags } from './tags.svelte'
import type { View } from './view.svelte'

export interface Needs {
  readonly view: Pick<View, 'values' | 'set'>
  readonly runs: Pick<Runs, 'entries'>
  readonly tags: Pick<Tags, 'all' | 'isLoading'>
  readonly hparams: Pick<HParams, 'names' | 'byRun'>
  readonly summaries: Pick<Summaries, 'isKnown' | 'want'>
  readonly curation: Pick<Curation, 'of'>
  readonly columns: Pick<Columns, 'get'>
}

/** Fields that every run has, and the columns they are. */
export const RUN_FIELDS: Readonly<Record<string, string>> = {
  name: 'about:name',
  status: 'about:status',
  tags: 'about:tags',
  note: 'about:note',
  points: 'about:points',
  duration: 'about:duration',
  started: 'about:start',
}

/** How many of the runs that are left out are so for this reason. */
export interface Reason {
  readonly text: string
  readonly count: number
}

interface Compiled {
  readonly requirements: readonly Requirement[]
  readonly tags: readonly string[]
  readonly error: ExpressionError | null
}

const NOTHING: Compiled = { requirements: [], tags: [], error: null }

export class Filter {
  readonly #page: Needs
  /** What is typed but no filter yet, and the filter that holds meanwhile: that of the link, which says what is drawn. */
  #draft = $state.raw<{ readonly text: string; readonly over: string } | null>(null)
  /** What held before the values that an expression asks for were known. */
  #matchesBefore: ReadonlySet<string> | null = null

  readonly #query = $derived.by<Query>(() => this.#read(this.#page.view.values.runFilter))
  readonly #compiled = $derived.by<Compiled>(() => this.#compile(this.#query))
  /** The text of the field. */
  readonly text = $derived.by<string>(() => {
    const { runFilter } = this.#page.view.values
    return this.#draft?.over === runFilter ? this.#draft.text : runFilter
  })
  readonly #typed = $derived.by<Query>(() =>
    this.text === this.#page.view.values.runFilter ? this.#query : this.#read(this.text),
  )
  readonly #named = $derived.by(() => ({
    hparams: byShortName(this.#page.hparams.names),
    tags: byShortName(this.#page.tags.all.map(({ tag }) => tag)),
  }))

  /** Names of the entries that match; null when there is no filter. */
  readonly matches = $derived.by<ReadonlySet<string> | null>(() => {
    const query = this.#query
    const { requirements, tags } = this.#compiled
    const { entries } = this.#page.runs
    if (query.kind === 'expression') {
      if (requirements.length === 0) return this.#keep(null)
      if (tags.some((tag) => !this.#page.summaries.isKnown(tag))) return this.#matchesBefore
      return this.#keep(matching(entries, ({ name }) => requirements.every(({ check }) => check(name))))
    }
    if (query.kind === 'everything') return this.#keep(null)
    if (query.kind === 'regex')
      return this.#keep(
        matching(
          entries,
          (entry) => query.regex !== null && this.#names(entry).some((name) => query.regex?.test(name)),
        ),
      )
    const text = query.text.toLowerCase()
    return this.#keep(
      matching(entries, (entry) => this.#names(entry).some((name) => name.toLowerCase().includes(text))),
    )
  })

  /** What is wrong with the text; the filter before it stays. */
  readonly trouble = $derived.by<string | null>(() => this.#error?.message ?? null)
  /** The character it is wrong at, counted from 0. */
  readonly troubleAt = $derived.by<number | null>(() => this.#error?.at ?? null)
  readonly #error = $derived.by(() => this.#errorOf(this.#typed))

  /** Which kind of filter the text is taken for. */
  readonly kind = $derived.by(() => this.#typed.kind)

  /** The columns that it asks about. */
  readonly columnsAsked = $derived.by<ReadonlySet<string>>(() => {
    const ids = conditions(this.#query)
      .flatMap(clauses)
      .map(({ name }) => this.columnOf(name.text, name.isQuoted))
    return new Set(ids.filter((id) => id !== null))
  })

  /** Why runs do not match, the reason of most of them first; a run that fails several conditions counts for each. */
  readonly reasons = $derived.by<readonly Reason[]>(() => {
    const { matches } = this
    const counts = new Map<string, number>()
    if (matches === null) return []
    for (const { name } of this.#page.runs.entries) {
      if (matches.has(name)) continue
      for (const reason of this.whyNot(name)) counts.set(reason, (counts.get(reason) ?? 0) + 1)
    }
    return [...counts].map(([text, count]) => ({ text, count })).sort((a, b) => b.count - a.count)
  })

  constructor(page: Needs) {
    this.#page = page
    // As long as the page: an expression is only as good as the values it looks at.
    $effect.root(() => {
      $effect(() => this.#page.summaries.want(this.#compiled.tags))
    })
  }

  /** Takes what the person typed; it becomes the filter, and a part of the link, as soon as it is valid. */
  type(text: string): void {
    const { view } = this.#page
    const query = this.#read(text)
    const isValid = this.#errorOf(query) === null
    // Text that becomes an expression as it is typed was only the beginning of one: it filters no longer.
    const isBegun = query.kind === 'expression' && this.#query.kind !== 'expression'
    const over = isValid ? text : isBegun ? '' : view.values.runFilter
    this.#draft = isValid ? null : { text, over }
    if (over !== view.values.runFilter) view.set('runFilter', over)
  }

  /** The conditions that a run does not meet; empty for filters that are not expressions. */
  whyNot(run: string): readonly string[] {
    return this.#compiled.requirements.filter(({ check }) => !check(run)).map((requirement) => requirement.reason(run))
  }

  /** The column that a name in an expression means: `val/acc.max`, `lr`, `acc` if only one tag ends so. */
  columnOf(name: string, isQuoted = false): string | null {
    const wanted = name.toLowerCase()
    const field = Object.hasOwn(RUN_FIELDS, wanted) ? RUN_FIELDS[wanted] : undefined
    if (field !== undefined && !isQuoted) return field
    const { hparams, tags } = this.#named
    const hparam = find(hparams, name)
    if (hparam !== undefined) return `hparam:${hparam}`
    const whole = find(tags, name)
    if (whole !== undefined) return `metric:${whole}:last`
    const dot = name.lastIndexOf('.')
    const stat = STATS.find((other) => other === wanted.slice(dot + 1))
    const tag = dot > 0 && stat !== undefined ? find(tags, name.slice(0, dot)) : undefined
    return tag === undefined ? null : `metric:${tag}:${stat ?? ''}`
  }

  /** The conditions that are about this column alone. */
  about(column: string): readonly Expression[] {
    return conditions(this.#query).filter((part) => this.#isAbout(part, column))
  }

  /** The text with this condition in place of those that are about the column; null takes them out. */
  replaced(column: string, condition: string | null): string {
    return withCondition(this.#page.view.values.runFilter, this.#query, condition, (part) =>
      this.#isAbout(part, column),
    )
  }

  #isAbout(part: Expression, column: string): boolean {
    return clauses(part).every(({ name }) => this.columnOf(name.text, name.isQuoted) === column)
  }

  #keep(matches: ReadonlySet<string> | null): ReadonlySet<string> | null {
    return (this.#matchesBefore = matches)
  }

  #read(text: string): Query {
    return readQuery(text, (part) => this.#isInName(part))
  }

  #errorOf(query: Query): ExpressionError | null {
    return query.kind === 'regex' ? query.error : this.#compile(query).error
  }

  #compile(query: Query): Compiled {
    if (query.kind !== 'expression') return NOTHING
    if (query.expression === null) return { ...NOTHING, error: query.error }
    try {
      return this.#require(query.expression)
    } catch (error) {
      // A name that nothing has yet may come with the next answer.
      return { ...NOTHING, error: this.#page.tags.isLoading ? null : asExpressionError(error) }
    }
  }

  #require(expression: Expression): Compiled {
    const tags = new Set<string>()
    const fields: Fields = {
      field: (name, isQuoted) => this.#field(name, isQuoted, tags),
      labels: (run) => this.#page.curation.of(run).tags,
    }
    return { requirements: requirements(expression, fields), tags: [...tags], error: null }
  }

  #field(name: string, isQuoted: boolean, tags: Set<string>): Field | null {
    const { curation, columns } = this.#page
    const id = this.columnOf(name, isQuoted)
    if (id === 'about:tags') return { value: (run) => curation.of(run).tags }
    if (id === 'about:name') return { value: (run) => namesOf(run, curation.of(run).title) }
    const column = id === null ? null : columns.get(id)
    if (column?.stat !== null && column !== null) tags.add(column.subject)
    return column
  }

  #names(entry: Entry): readonly string[] {
    return namesOf(entry.name, this.#page.curation.of(entry.name).title)
  }

  #isInName(text: string): boolean {
    const wanted = text.toLowerCase()
    return this.#page.runs.entries.some((entry) =>
      this.#names(entry).some((name) => name.toLowerCase().includes(wanted)),
    )
  }
}

function namesOf(name: string, title: string | undefined): readonly string[] {
  return title === undefined ? [name] : [name, title]
}

function matching(entries: readonly Entry[], isMatch: (entry: Entry) => boolean): ReadonlySet<string> {
  return new Set(entries.filter(isMatch).map(({ name }) => name))
}

/** Names by every part behind a slash that no other name ends with, in lower case; whole names count before parts. */
function byShortName(names: readonly string[]): ReadonlyMap<string, string> {
  const found = new Map<string, string | null>()
  for (const name of names) {
    for (let at = name.indexOf('/'); at >= 0; at = name.indexOf('/', at + 1)) {
      const tail = name.slice(at + 1).toLowerCase()
      if (tail !== '') found.set(tail, found.has(tail) ? null : name)
    }
  }
  for (const name of names) found.set(name.toLowerCase(), name)
  for (const name of names) found.set(name, name)
  return new Map([...found].filter((pair): pair is [string, string] => pair[1] !== null))
}

function find(names: ReadonlyMap<string, string>, name: string): string | undefined {
  return names.get(name) ?? names.get(name.toLowerCase())
}
