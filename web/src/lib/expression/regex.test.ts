// Regular expressions match what RegExp matches, in linear time, and say where they are wrong.
import { expect, test } from 'vitest'
import { ExpressionError } from './error'
import { capture, regex } from './regex'

const TEXTS = [
  '',
  'a',
  'aab',
  'lr-sweep/adamw-1e-3',
  'seed_12',
  'Résumé 日本',
  'x.y',
  'a-b]c',
  'run (2)',
  'line\nbreak',
  '🙂 ok',
]

test.each([
  'a',
  'A',
  '^a',
  'b$',
  'a|b',
  'a*b',
  'a+?b',
  '(aa?)+b',
  'seed_\\d+',
  'seed_\\d{2}$',
  'seed_\\d{3}',
  'x\\.y',
  'x.y',
  '[a-c]-b',
  '[^a-z]',
  '[\\]]',
  '\\bok\\b',
  '\\Bw',
  'adam(w|x)-',
  '(?:lr|wd)-',
  '(?<kind>lr)-',
  '^$',
  '',
  'é',
  '日.',
  '\\p{Lu}',
  '\\(2\\)',
  'line.break',
  'line\\sbreak',
  'a{0}b',
  'a{2,}b',
  'a{1,2}b',
  '^.{2}ok',
  '\\u{1F642}',
  '\\x61',
])('%s matches the same texts as RegExp does', (pattern) => {
  const twin = new RegExp(pattern, 'iu')
  const ours = regex(pattern)
  expect(TEXTS.map((text) => ours.test(text))).toEqual(TEXTS.map((text) => twin.test(text)))
})

test('the case counts when it is asked for', () => {
  expect(regex('(?-i)Adam').test('adam')).toBe(false)
  expect(regex('(?i)Adam').test('adam')).toBe(true)
  expect(regex('(?-i)[A-Z]dam').test('adam')).toBe(false)
})

test.each([
  ['(a', 'Unclosed parenthesis', 0],
  ['ab)', 'Unmatched closing parenthesis', 2],
  ['x[a', 'Unclosed bracket', 1],
  ['*a', 'Nothing to repeat before *', 0],
  ['a\\', 'Nothing follows the last backslash', 1],
  ['(?=a)', 'Lookahead and lookbehind are not supported', 2],
  ['(a)\\1', 'Backreferences are not supported', 3],
  ['a{3,2}', 'Max repeat is below min repeat', 1],
  ['[z-a]', '[z-a] is not a character set', 0],
  ['(((a{1000}){1000})', 'Unclosed parenthesis', 0],
  ['(a{1000}){1000}', 'The expression is too large', 0],
  ['\\q', 'Unknown escape \\q', 0],
])('%s is wrong: %s', (pattern, message, at) => {
  expect(() => regex(pattern)).toThrow(new ExpressionError(message, at))
  try {
    regex(pattern, 10)
  } catch (error) {
    expect((error as ExpressionError).at).toBe(at + 10)
  }
})

test.each([
  '(a+)(b)',
  '(a*)',
  '(a+?)(.*)',
  '(\\w+)/(\\w+)',
  '^([^/]+)/',
  'seed_(\\d+)',
  '(lr|wd)?-?(sweep)',
  '(?<kind>[a-z]+)-',
  '(?:lr)-([a-z]+)',
  '(a)|(b)',
  '(x)?',
  '-(\\w+)-(.+)$',
  '((a)(a))b',
  '(.)(.*?)(.)$',
  '([a-z]{2,3})',
  '([a-z]{2,3}?)',
  '(🙂)',
  'A(.)',
  '(a|ab)(c|bcd)?',
  'a',
  '(a*)*',
  '(|a)+',
])('%s captures the same as RegExp does', (pattern) => {
  const twin = new RegExp(pattern, 'u')
  const ours = capture(pattern)
  const texts = [...TEXTS, 'abcd', 'baa']
  expect(texts.map((text) => ours(text))).toEqual(
    texts.map(
      (text) =>
        twin
          .exec(text)
          ?.slice(1)
          .map((part: string | undefined) => part ?? '') ?? null,
    ),
  )
})

test('captures are case-sensitive unless requested otherwise', () => {
  expect(capture('(Adam)')('adam')).toBe(null)
  expect(capture('(?i)(Adam)')('adam')).toEqual(['adam'])
})

test('nothing repeated as often as one likes is nothing', () => {
  expect(regex('((((){9999}){9999}){9999}){9999}').test('')).toBe(true)
})

test('what makes RegExp take years is answered', () => {
  const text = `${'a'.repeat(2_000)}!`
  for (const pattern of ['^(a+)+$', '^(a|a)*$', '^(a|aa)+$', '(.*)*x', '^(a?){50}a{50}$']) {
    expect(regex(pattern).test(text)).toBe(false)
    expect(capture(pattern)(text)).toBe(null)
  }
})
