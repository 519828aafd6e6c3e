// What a colleague should see when given the link: the facts of the board, of charts and of each dashboard, all of them in the URL.
import type { Facts, ValuesOf } from '../lib/query'
import { CHART_FACTS } from './facts/charts'
import { CORE_FACTS } from './facts/core'
import { LinkFormat, type LinkValues } from './link'

export const SHARED_FACTS = { ...CORE_FACTS, ...CHART_FACTS }

/** The facts that every dashboard may use. */
export type ViewValues = ValuesOf<typeof SHARED_FACTS>

/** Access to some facts of the view, with their types. */
export interface FactAccess<Declared extends Facts> {
  /** Reading one fact subscribes to that fact alone: panning a card does not notify readers of another. */
  readonly values: ValuesOf<Declared>
  /** Changes one fact; the URL follows. */
  readonly set: <Name extends keyof Declared>(name: Name, value: ValuesOf<Declared>[Name]) => void
}

export class View {
  /** How links of this view are written and read. */
  readonly link: LinkFormat
  /** All facts by parameter; another object after each change. */
  whole: LinkValues
  readonly #access = new Map<Facts, FactAccess<Facts>>()
  readonly #shared: FactAccess<typeof SHARED_FACTS>

  /** `declared` are the facts of the dashboards: all of them, before the first link is read. */
  constructor(declared: readonly Facts[] = []) {
    this.link = new LinkFormat([SHARED_FACTS, ...declared])
    this.whole = $state.raw(this.link.defaults)
    for (const facts of [SHARED_FACTS, ...declared]) this.#access.set(facts, this.#accessTo(facts))
    this.#shared = this.facts(SHARED_FACTS)
  }

  get values(): ViewValues {
    return this.#shared.values
  }

  /** Changes one shared fact; the URL follows. */
  set<Name extends keyof ViewValues>(name: Name, value: ViewValues[Name]): void {
    this.#shared.set(name, value)
  }

  /** The facts that a dashboard declares: `const { values, set } = view.facts(imageFacts)`. */
  facts<Declared extends Facts>(declared: Declared): FactAccess<Declared> {
    const access = this.#access.get(declared)
    if (access === undefined) throw new Error(`no dashboard declares these facts: ${Object.keys(declared).join(', ')}`)
    return access as unknown as FactAccess<Declared>
  }

  #accessTo(facts: Facts): FactAccess<Facts> {
    const values = {}
    for (const [key, { name }] of Object.entries(facts)) {
      const fact = $derived(this.whole[name])
      Object.defineProperty(values, key, { get: () => fact, enumerable: true })
    }
    return {
      values,
      set: (key, value) => {
        const fact = facts[key]
        if (fact !== undefined) this.whole = { ...this.whole, [fact.name]: value }
      },
    }
  }
}
