// What a chosen range says as a whole: who leads, by how much, and whether that is chance.
import { change, step, value } from '../../lib/numerals'
import type { Better } from './best'
import type { Chosen, ValueRow } from './value_rows'
import { welch } from './welch'

export interface Fact {
  readonly name: string
  readonly text: string
}

export function selectionFacts(rows: readonly ValueRow[], chosen: Chosen, better: Better | null): Fact[] {
  const { from, to } = chosen
  if (to === null) return [{ name: 'Step', text: step(from) }, ...leaderFacts(rows, from, better)]
  const points = Math.max(0, ...rows.map((row) => row.figures?.points ?? 0))
  return [
    { name: 'Steps', text: `${step(to - from)} (${step(points)} ${points === 1 ? 'point' : 'points'})` },
    ...leaderFacts(rows, to, better),
  ]
}

function leaderFacts(rows: readonly ValueRow[], at: number, better: Better | null): Fact[] {
  if (better === null) return []
  const sign = better === 'lower' ? 1 : -1
  const ranked = rows
    .filter((row) => Number.isFinite(endOf(row)))
    .sort((one, other) => sign * (endOf(one) - endOf(other)))
  const [first, second] = ranked
  if (first === undefined) return []
  const facts: Fact[] = [{ name: 'Leader', text: first.label }]
  if (second === undefined) return facts
  facts.push({ name: 'Lead at end', text: `${change(endOf(first) - endOf(second))} over ${second.label}` })
  const p = welch(sample(first), sample(second))
  if (p !== null) facts.push({ name: 'p, Welch', text: `${p < 0.0001 ? '< 0.0001' : value(p, 2)} at ${step(at)}` })
  return facts
}

function endOf(row: ValueRow): number {
  return row.figures?.end.value ?? row.point.value
}

function sample(row: ValueRow): { mean: number; sd: number; count: number } {
  return { mean: endOf(row), sd: row.sdAtEnd, count: Number.isFinite(row.sdAtEnd) ? (row.runs ?? 1) : 1 }
}
