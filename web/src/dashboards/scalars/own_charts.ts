// Charts that people put together from several tags, or from expressions over tags.
import { cardName, composedId } from '../../state/card_ids'
import type { View } from '../../state/view.svelte'
import { scalarFacts, type OwnChart } from './facts'
import type { ScalarSpec } from './sources'

export function ownCard({ id, tags, expressions }: OwnChart): ScalarSpec {
  return { id: idOf(id), names: [...tags, ...expressions], tags, expressions }
}

function idOf(number: string): string {
  return composedId('scalars', number)
}

/** A new chart of these; null if there is nothing in it. */
export function addChart(view: View, tags: readonly string[], expressions: readonly string[]): string | null {
  if (tags.length + expressions.length === 0) return null
  const { values, set } = view.facts(scalarFacts)
  const taken = new Set(values.charts.map((chart) => chart.id))
  let number = 1
  while (taken.has(String(number))) number++
  set('charts', [...values.charts, { id: String(number), tags, expressions }])
  return idOf(String(number))
}

/** With all that was said of it: the next chart may have its number. */
export function removeChart(view: View, id: string): void {
  const { values, set } = view.facts(scalarFacts)
  const { full, pinnedCards, yScales, zooms } = view.values
  set(
    'charts',
    values.charts.filter((chart) => idOf(chart.id) !== id),
  )
  view.set('zooms', without(zooms, id))
  view.set('yScales', without(yScales, id))
  if (pinnedCards?.includes(id) === true)
    view.set(
      'pinnedCards',
      pinnedCards.filter((card) => card !== id),
    )
  if (full === id) view.set('full', null)
}

function without<T>(values: Readonly<Record<string, T>>, id: string): Readonly<Record<string, T>> {
  return Object.hasOwn(values, id)
    ? Object.fromEntries(Object.entries(values).filter(([other]) => other !== id))
    : values
}

/** `dragged` joins the chart `onto`; two tags make a new chart, and stay where they are. */
export function combine(view: View, onto: string, dragged: string): void {
  const from = contents(view, dragged)
  const { values, set } = view.facts(scalarFacts)
  const chart = values.charts.find(({ id }) => idOf(id) === onto)
  if (chart === undefined) {
    const into = contents(view, onto)
    addChart(view, unique([...into.tags, ...from.tags]), unique([...into.expressions, ...from.expressions]))
    return
  }
  const joined = {
    id: chart.id,
    tags: unique([...chart.tags, ...from.tags]),
    expressions: unique([...chart.expressions, ...from.expressions]),
  }
  set(
    'charts',
    values.charts.map((other) => (other === chart ? joined : other)),
  )
}

function contents(view: View, id: string): Pick<OwnChart, 'tags' | 'expressions'> {
  const { charts } = view.facts(scalarFacts).values
  return charts.find((chart) => idOf(chart.id) === id) ?? { tags: [cardName(id)], expressions: [] }
}

function unique(names: readonly string[]): string[] {
  return [...new Set(names)]
}
