// Charts that people put together from several tags, or from expressions over tags.
import { cardName, composedId } from '../../state/card_ids'
import type { OwnChart, View } from '../../state/view.svelte'
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
  const taken = new Set(view.values.charts.map((chart) => chart.id))
  let number = 1
  while (taken.has(String(number))) number++
  view.set('charts', [...view.values.charts, { id: String(number), tags, expressions }])
  return idOf(String(number))
}

/** With all that was said of it: the next chart may have its number. */
export function removeChart(view: View, id: string): void {
  const { charts, full, pinnedCards, yScales, zooms } = view.values
  view.set(
    'charts',
    charts.filter((chart) => idOf(chart.id) !== id),
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
  const chart = view.values.charts.find(({ id }) => idOf(id) === onto)
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
  view.set(
    'charts',
    view.values.charts.map((other) => (other === chart ? joined : other)),
  )
}

function contents(view: View, id: string): Pick<OwnChart, 'tags' | 'expressions'> {
  return view.values.charts.find((chart) => idOf(chart.id) === id) ?? { tags: [cardName(id)], expressions: [] }
}

function unique(names: readonly string[]): string[] {
  return [...new Set(names)]
}
