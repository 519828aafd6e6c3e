// Checks where the files of a run are said to lie.
import { expect, test } from 'vitest'
import { pathOf } from './paths'

const one = [{ name: null, path: '/logs/', exists: true }]
const two = [
  { name: 'a', path: '/x', exists: true },
  { name: 'b', path: '/y', exists: true },
]

test.each([
  ['exp/1', one, '/logs/exp/1'],
  ['.', one, '/logs'],
  ['b/exp', two, '/y/exp'],
  ['b', two, '/y'],
  ['ab', two, '/x/ab'],
  ['exp', [], null],
])('%s of %j is at %s', (run, roots, path) => {
  expect(pathOf(run, roots)).toBe(path)
})
