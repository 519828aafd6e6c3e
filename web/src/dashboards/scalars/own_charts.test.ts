// Making, joining and removing charts of several tags.
import { expect, test } from 'vitest'
import { View } from '../../state/view.svelte'
import { scalarFacts } from './facts'
import { addChart, combine, removeChart } from './own_charts'
import { setScale, zoomCard } from './zoom'

test('a card dragged onto another makes a chart of both', () => {
  const view = new View([scalarFacts])
  combine(view, 'scalars:train/loss', 'scalars:val/loss')
  expect(view.facts(scalarFacts).values.charts).toEqual([
    { id: '1', tags: ['train/loss', 'val/loss'], expressions: [] },
  ])
})

test('a card dragged onto such a chart joins it, once', () => {
  const view = new View([scalarFacts])
  combine(view, 'scalars:a', 'scalars:b')
  combine(view, 'scalars:chart:1', 'scalars:c')
  combine(view, 'scalars:chart:1', 'scalars:c')
  expect(view.facts(scalarFacts).values.charts).toEqual([{ id: '1', tags: ['a', 'b', 'c'], expressions: [] }])
})

test('a chart that is removed leaves its number free', () => {
  const view = new View([scalarFacts])
  addChart(view, ['a'], [])
  addChart(view, [], ['a - b'])
  removeChart(view, 'scalars:chart:1')
  expect(addChart(view, ['c'], [])).toBe('scalars:chart:1')
})

test('a chart that is removed leaves nothing to the next one of its number', () => {
  const view = new View([scalarFacts])
  addChart(view, ['a'], [])
  zoomCard(view, 'scalars:chart:1', { x: [1, 2], y: null })
  setScale(view, 'scalars:chart:1', 'log')
  view.set('pinnedCards', ['scalars:loss', 'scalars:chart:1'])
  view.set('full', 'scalars:chart:1')
  removeChart(view, 'scalars:chart:1')
  expect(view.whole).toEqual({ ...view.link.defaults, pin: ['scalars:loss'] })
})

test('nothing makes no chart', () => {
  expect(addChart(new View([scalarFacts]), [], [])).toBeNull()
})
