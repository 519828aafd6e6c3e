// Drawing runs as bands.
import { expect, test } from 'vitest'
import { View } from '../../state/view.svelte'
import { setGrouping } from './grouping'

test('seeds together are a band each', () => {
  const view = new View()
  setGrouping(view, 'seed')
  expect(view.values).toMatchObject({
    groupBy: { kind: 'seed' },
    aggregate: { centre: 'mean', band: 'std', members: true },
  })
})

test('groups of the list stay as they are, and the choice of band too', () => {
  const view = new View()
  view.set('groupBy', { kind: 'hparam', name: 'lr' })
  view.set('aggregate', { centre: 'iqm', band: 'bootstrap', members: false })
  setGrouping(view, 'list')
  expect(view.values).toMatchObject({ groupBy: { kind: 'hparam', name: 'lr' }, aggregate: { centre: 'iqm' } })
  setGrouping(view, 'none')
  expect(view.values.aggregate).toBeNull()
})
