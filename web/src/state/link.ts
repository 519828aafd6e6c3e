// The view as the address has it: only what differs from the defaults; TensorBoard's links are understood too.
import { format, parse, type Fact, type Facts, type Parameters } from '../lib/query'
import { cardId, DASHBOARD_NAMES } from './card_ids'

/** Values of facts by parameter. */
export type LinkValues = Readonly<Record<string, unknown>>

export interface Link {
  readonly values: LinkValues
  /** Parameters that are not ours: they stay. */
  readonly others: Parameters
}

/** Writes and reads links made of the given facts. */
export class LinkFormat {
  /** In the order of the address. */
  readonly facts: readonly Fact<unknown>[]
  readonly defaults: LinkValues

  constructor(declared: readonly Facts[]) {
    this.facts = ordered(declared.flatMap((facts) => Object.values(facts)))
    this.defaults = Object.fromEntries(this.facts.map((fact) => [fact.name, fact.default]))
  }

  /** The query of the address, with `?` before it unless it is empty. */
  write({ values, others }: Link): string {
    const ours = this.facts.flatMap((fact) => {
      const written = fact.write(values[fact.name])
      return isSame(written, fact.write(fact.default)) ? [] : written.map((value) => [fact.name, value] as const)
    })
    return format([...ours, ...others])
  }

  /** What an address contains; `fragment` is where TensorBoard has its dashboard. */
  read(query: string, fragment = ''): Link {
    const parameters = [...parse(query), ...legacy(fragment)].map(translated)
    const known = new Set(this.facts.map(({ name }) => name))
    const others = parameters.filter(([name]) => !known.has(name))
    const read = (fact: Fact<unknown>): unknown => {
      const given = parameters.filter(([name]) => name === fact.name).map(([, value]) => value)
      return (given.length === 0 ? undefined : fact.read(given)) ?? fact.default
    }
    const values = Object.fromEntries(this.facts.map((fact) => [fact.name, read(fact)]))
    const pins = others.filter(([name]) => name === 'pinnedCards').flatMap(([, value]) => tensorBoardPins(value))
    return {
      values: pins.length > 0 && values.pin === null ? { ...values, pin: [...new Set(pins)] } : values,
      others: others.filter(([name]) => name !== 'pinnedCards'),
    }
  }
}

/** Each fact after the one it names, the others as declared. */
function ordered(facts: readonly Fact<unknown>[]): readonly Fact<unknown>[] {
  const placed: Fact<unknown>[] = []
  for (const fact of facts) {
    if (placed.some(({ name }) => name === fact.name)) throw new Error(`two facts have the parameter: ${fact.name}`)
    const at = placed.findIndex(({ name }) => name === fact.after)
    placed.splice(at < 0 ? placed.length : at + 1, 0, fact)
  }
  return placed
}

function isSame(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((value, at) => value === other[at])
}

// --- TensorBoard's links ---

/** Our dashboards by TensorBoard's names: the same, but for two that are views of ours. */
const TENSORBOARD: Readonly<Record<string, string>> = {
  ...Object.fromEntries(DASHBOARD_NAMES.map((name) => [name, name])),
  timeseries: 'scalars',
  distributions: 'histograms',
}

/** Whether TensorBoard wrote it: `#scalars&_smoothingWeight=0.8`. */
export function isTensorBoards(fragment: string): boolean {
  return Object.hasOwn(TENSORBOARD, fragment.replace(/^#/, '').split('&')[0] ?? '')
}

function legacy(fragment: string): Parameters {
  if (!isTensorBoards(fragment)) return []
  const [name = '', ...rest] = fragment.replace(/^#/, '').split('&')
  const dashboard = TENSORBOARD[name] ?? name
  const names: Readonly<Record<string, string>> = {
    _smoothingWeight: 'smoothing',
    regexInput: 'runFilter',
    tagFilter: 'tagFilter',
    runFilter: 'runFilter',
  }
  const facts = parse(rest.join('&')).flatMap(([name, value]) => {
    const ours = names[name]
    if (ours !== undefined) return [[ours, value] as const]
    return name === '_ignoreYOutliers' && value === 'false' ? [['outliers', '1'] as const] : []
  })
  return dashboard === 'scalars' ? facts : [['tab', dashboard], ...facts]
}

/** `runColorGroup` in our words. */
function translated([name, value]: readonly [string, string]): readonly [string, string] {
  if (name !== 'runColorGroup') return [name, value]
  if (value.startsWith('regex')) return ['colour', `regex:${value.slice(value.indexOf(':') + 1)}`]
  return ['colour', value === 'experiment' ? 'group' : 'run']
}

/** Ids of the scalars among the pinned cards, written as JSON. */
function tensorBoardPins(value: string): readonly string[] {
  try {
    const cards: unknown = JSON.parse(value)
    if (!Array.isArray(cards)) return []
    return cards.flatMap((card: unknown) => {
      if (typeof card !== 'object' || card === null || !('tag' in card) || !('plugin' in card)) return []
      return card.plugin === 'scalars' && typeof card.tag === 'string' ? [cardId('scalars', card.tag)] : []
    })
  } catch {
    return []
  }
}
