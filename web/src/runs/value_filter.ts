// The conditions that a filter by the values of a column writes.
import { nameText, valueText } from '../lib/expression/complete'
import type { Column, Value } from '../state/columns.svelte'

/** `lr`, `val/acc.max`: what the column is called in an expression. */
export function nameOf({ subject, stat }: Pick<Column, 'subject' | 'stat'>): string {
  return stat === null || stat === 'last' ? nameText(subject) : `${nameText(subject)}.${stat}`
}

/** `model = a`, `model in (a, b)`; with runs that have none, `(model = a or not has model)`. */
export function listText(name: string, values: readonly Value[], withMissing: boolean): string {
  const written = values.filter((value) => value !== null).map(valueText)
  const [first] = written
  if (first === undefined) return withMissing ? `not has ${name}` : `(has ${name} and not has ${name})`
  return orMissing(
    written.length === 1 ? `${name} = ${first}` : `${name} in (${written.join(', ')})`,
    name,
    withMissing,
  )
}

/** `lr >= 0.1`, `0.1 <= lr <= 1`; a bound that is empty is none. */
export function intervalText(name: string, from: string, to: string, withMissing: boolean): string {
  const text = from === '' ? `${name} <= ${to}` : to === '' ? `${name} >= ${from}` : `${from} <= ${name} <= ${to}`
  return orMissing(text, name, withMissing)
}

function orMissing(text: string, name: string, withMissing: boolean): string {
  return withMissing ? `(${text} or not has ${name})` : text
}
