// Which tags a filter means.
import { expect, test } from 'vitest'
import { escapePattern, tagMatcher } from './tag_filter'

test.each([
  ['', 'train/loss', true],
  ['LOSS', 'train/loss', true],
  ['^loss', 'train/loss', false],
  ['loss|acc', 'val/acc', true],
  ['(', 'f(x)', true],
  ['(', 'loss', false],
])('%s on %s', (filter, tag, expected) => {
  expect(tagMatcher(filter)(tag)).toBe(expected)
})

test('a chosen tag is meant alone, whatever signs are in it', () => {
  const matches = tagMatcher(escapePattern('f(x).a+b'))
  expect(matches('f(x).a+b')).toBe(true)
  expect(matches('f(x).a+b2')).toBe(false)
  expect(matches('f(x)_a+b')).toBe(false)
})

test('an expression that would keep others busy for years is answered', () => {
  expect(tagMatcher('(a+)+$')(`${'a'.repeat(200)}!`)).toBe(false)
})
