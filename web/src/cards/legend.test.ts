// Checks the legend of several cards.
import { expect, test } from 'vitest'
import type { LegendItem } from '../lib/traces'
import { legendOfView, type Needs } from './legend'

const item = (label: string): LegendItem => ({ label, style: { colour: '#2382fb', dash: 'solid' } })
const card = (...labels: string[]) => ({ legend: () => labels.map(item) })

/** A view of `shown` runs of which some are in colour, or of runs coloured by `lr`. */
function view(shown: number, coloured: number, isByValue = false): Needs {
  return {
    selection: { shown: Array.from({ length: shown }) },
    styles: {
      coloured,
      scale: isByValue ? { range: [0.0001, 0.01], isLog: true } : null,
      valueColour: String,
    },
    columns: { get: () => ({ title: 'lr', format: (value: number) => String(Number(value.toPrecision(3))) }) },
    theme: { current: 'light' },
    view: { values: { colourBy: isByValue ? { kind: 'column', column: 'hparam:lr' } : { kind: 'run' } } },
  } as unknown as Needs
}

const labels = (needs: Needs, ...cards: readonly { legend?: () => LegendItem[] }[]) =>
  legendOfView(needs, cards).map(({ label }) => label)

test('what is in colour in any card is named once, and what is grey is counted', () => {
  expect(labels(view(2, 2), card('a', 'b'), card('b', 'c'), {})).toEqual(['a', 'b', 'c'])
  expect(labels(view(5, 2), card('a', 'b'))).toEqual(['a', 'b', '3 in grey'])
})

test('a legend that would be too long says how many are left out', () => {
  const names = Array.from({ length: 70 }, (_, at) => `run-${String(at)}`)
  expect(labels(view(70, 70), card(...names)).slice(-2)).toEqual(['run-59', '10 more in colour'])
})

test('colours that are values are named by a few values', () => {
  expect(labels(view(9, 9, true), card('a'))).toEqual(['lr 0.0001', 'lr 0.001', 'lr 0.01'])
})
