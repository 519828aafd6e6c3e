// What a chosen range says.
import { expect, test } from 'vitest'
import { selectionFacts } from './selection_figures'
import type { ValueRow } from './value_rows'

function row(label: string, value: number, runs: number | null = null, sdAtEnd = NaN): ValueRow {
  return {
    key: label,
    label,
    colour: '',
    runs,
    point: { x: 10, value, smoothed: null },
    figures: null,
    moment: null,
    sdAtEnd,
  }
}
const at = { from: 10, to: null }

test('the leader is the best at the end', () => {
  expect(selectionFacts([row('a', 2), row('b', 1), row('c', NaN)], at, 'lower')).toEqual([
    { name: 'Step', text: '10' },
    { name: 'Leader', text: 'b' },
    { name: 'Lead at end', text: '−1 over a' },
  ])
  expect(selectionFacts([row('a', 2), row('b', 1)], at, 'higher')[1]).toEqual({ name: 'Leader', text: 'a' })
})

test('groups are tested', () => {
  const facts = selectionFacts([row('a', 0, 3, 1), row('b', Math.SQRT2 * Math.sqrt(16 / 3), 3, 1)], at, 'lower')
  expect(facts.at(-1)).toEqual({ name: 'p, Welch', text: '0.016 at 10' })
})

test('nobody leads where nobody says what is good', () => {
  expect(selectionFacts([row('a', 2)], at, null)).toEqual([{ name: 'Step', text: '10' }])
})
