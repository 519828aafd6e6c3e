// Checks which hidden runs are set aside, and that none moves while the pointer is on the list.
import { expect, test } from 'vitest'
import type { Group } from '../state/groups.svelte'
import type { Entry } from '../state/runs.svelte'
import { HiddenRuns } from './hidden_runs.svelte'

const NAMES = ['a', 'b', 'c', 'd']

function made(count: number) {
  const shown = $state({ names: ['c'] })
  const values = $state({ runFilter: '' })
  const listed = $state({ names: NAMES })
  const hidden = new HiddenRuns({
    groups: {
      get all(): readonly Group[] {
        const entries = listed.names.map((name) => ({ name, parts: [] }) as unknown as Entry)
        return [{ key: '', name: '', entries, isRest: false }]
      },
    },
    selection: { isShown: (name: string) => shown.names.includes(name) },
    settings: { values: { startRuns: { which: 'newest', count, tag: null } } as never },
    view: { values: values as never },
  })
  return { hidden, listed, shown, values }
}

test('hidden runs of a long list are set aside; in a short one they keep their place', () => {
  expect([...made(3).hidden.setAside]).toEqual(['a', 'b', 'd'])
  expect([...made(4).hidden.setAside]).toEqual([])
})

test('where all runs are hidden, all are listed', () => {
  const { hidden, shown } = made(3)
  shown.names = []
  expect(hidden.setAside.size).toBe(0)
})

test('a run that is shown or hidden stays where it is until the pointer leaves, unless the filter changes', () => {
  const { hidden, shown, values } = made(3)
  hidden.hold()
  shown.names = ['a']
  expect([...hidden.setAside]).toEqual(['a', 'b', 'd'])
  values.runFilter = 'x'
  expect([...hidden.setAside]).toEqual(['b', 'c', 'd'])
  values.runFilter = ''
  hidden.release()
  expect([...hidden.setAside]).toEqual(['b', 'c', 'd'])
})

test('runs that appear while the pointer is on the list are set aside like others', () => {
  const { hidden, listed } = made(3)
  listed.names = []
  hidden.hold()
  listed.names = NAMES
  expect([...hidden.setAside]).toEqual(['a', 'b', 'd'])
})
