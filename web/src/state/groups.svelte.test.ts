// Checks that a list is sorted by the values of now, and stays as it is under the pointer.
import { expect, test } from 'vitest'
import type { Column, Value } from './columns.svelte'
import { Groups } from './groups.svelte'
import type { Entry } from './runs.svelte'
import { View } from './view.svelte'

function entry(name: string): Entry {
  return { name, run: { name } as Entry['run'], parts: [] }
}

test('the order is that of the values, except while the list is held', () => {
  const view = new View()
  let values = $state.raw<Readonly<Record<string, Value>>>({ a: 2, b: 1 })
  const three = [entry('a'), entry('b'), entry('c')]
  let entries = $state.raw<readonly Entry[]>(three)
  const column = { value: (run: string) => values[run] ?? null } as Column
  const groups = new Groups({
    runs: {
      get entries() {
        return entries
      },
    },
    filter: { matches: null },
    hparams: { of: () => new Map() },
    view,
    columns: { get: () => column },
  })
  const names = (): string[] => groups.all.flatMap((group) => group.entries.map(({ name }) => name))
  view.set('groupBy', { kind: 'none' })
  view.set('sortBy', { column: 'metric:loss:min', descending: false })
  expect(names()).toEqual(['b', 'a', 'c'])
  values = { a: 0, b: 1 }
  expect(names()).toEqual(['a', 'b', 'c'])
  groups.hold()
  values = { a: 9, b: 1 }
  expect(names()).toEqual(['a', 'b', 'c'])
  values = { a: 9, b: 1, c: -1 }
  entries = [...three, entry('d')]
  expect(names()).toEqual(['c', 'a', 'b', 'd'])
  groups.release()
  expect(names()).toEqual(['c', 'b', 'a', 'd'])
  groups.hold()
  view.set('sortBy', { column: 'metric:acc:max', descending: true })
  expect(names()).toEqual(['a', 'b', 'c', 'd'])
})
