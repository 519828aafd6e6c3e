// Checks how names share the hues of a palette.
import { expect, test } from 'vitest'
import { hash, hues } from './hues'

const names = (count: number): string[] => Array.from({ length: count }, (_, at) => `run-${String(at)}`)

test('no hue is taken twice while some are free', () => {
  expect(new Set(hues(names(12), 12).values())).toEqual(new Set(Array.from({ length: 12 }, (_, at) => at)))
})

test('the first name takes the hue of its hash, whatever follows', () => {
  const alone = hues(['adamw'], 12).get('adamw')
  expect(alone).toBe(hash('adamw') % 12)
  expect(hues(['adamw', 'sgd', 'lion'], 12).get('adamw')).toBe(alone)
})

test('names that are appended change no other', () => {
  const before = hues(names(40), 12)
  const after = hues(names(60), 12)
  for (const [name, hue] of before) expect(after.get(name)).toBe(hue)
})

test('a name that goes changes few others', () => {
  const before = hues(names(100), 12)
  const without = hues(
    names(100).filter((name) => name !== 'run-3'),
    12,
  )
  const changed = [...without].filter(([name, hue]) => before.get(name) !== hue)
  expect(changed.length).toBeLessThan(30)
})

test('names near each other never share a hue', () => {
  const all = [...hues(names(200), 12).values()]
  for (let at = 0; at + 7 <= all.length; at++) expect(new Set(all.slice(at, at + 7)).size).toBe(7)
})

test('a chosen hue is avoided by the name that would have it', () => {
  const usual = hues(['a', 'b'], 12).get('a') ?? 0
  const after = hues(['a', 'b'], 12, new Map([['b', usual]]))
  expect(after.get('b')).toBe(usual)
  expect(after.get('a')).not.toBe(usual)
})

test('hues that all are chosen are shared', () => {
  const fixed = new Map(names(4).map((name, at) => [name, at]))
  expect(hues([...names(4), 'other'], 4, fixed).get('other')).toBeLessThan(4)
})
