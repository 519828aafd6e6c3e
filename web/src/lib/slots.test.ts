// Checks how names share the places of a palette.
import { expect, test } from 'vitest'
import { hash, slots } from './slots'

const NONE = new Map<string, number>()
const names = (count: number): string[] => Array.from({ length: count }, (_, at) => `run-${String(at)}`)

test('no place is taken twice while some are free', () => {
  expect(new Set(slots(names(12), 12, NONE).values())).toEqual(new Set(Array.from({ length: 12 }, (_, at) => at)))
})

test('a name alone takes the same place wherever it is', () => {
  const alone = slots(['adamw'], 12, NONE).get('adamw')
  expect(alone).toBe(hash('adamw') % 12)
  expect(slots(['adamw', 'sgd', 'lion'], 12, NONE).get('adamw')).toBe(alone)
})

test('names keep their places when others come and go', () => {
  const before = slots(names(8), 12, NONE)
  const after = slots(['another', ...names(8).slice(2)], 12, before)
  for (const name of names(8).slice(2)) expect(after.get(name)).toBe(before.get(name))
  expect(new Set(after.values()).size).toBe(7)
})

test('a chosen place is given up by the name that had it', () => {
  const before = new Map([['a', 3]])
  const after = slots(['a', 'b'], 12, before, new Map([['b', 3]]))
  expect(after.get('b')).toBe(3)
  expect(after.get('a')).not.toBe(3)
})

test('a second round begins when the palette is used up', () => {
  const all = [...slots(names(30), 12, NONE).values()].sort((a, b) => a - b)
  expect(all.slice(0, 24)).toEqual(Array.from({ length: 24 }, (_, at) => at))
  expect(all.slice(24).every((slot) => slot >= 24 && slot < 36)).toBe(true)
})

test('a name comes back to the first round when there is room', () => {
  expect(slots(['a'], 4, new Map([['a', 6]])).get('a')).toBeLessThan(4)
})
