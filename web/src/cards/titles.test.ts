// The titles of cards.
import { expect, test } from 'vitest'
import { titleParts } from './titles'

test.each([
  ['train/loss', ['train/', 'loss']],
  ['loss', ['', 'loss']],
  ['a/b/c', ['a/b/', 'c']],
  ['odd/', ['', 'odd/']],
])('the title of %s', (tag, parts) => {
  expect(titleParts(tag)).toEqual(parts)
})
