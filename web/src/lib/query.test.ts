// The pieces that addresses are made of.
import { describe, expect, test } from 'vitest'
import { flag, format, joined, keyed, many, number, parse, range, split, text } from './query'

describe('texts in one text', () => {
  test.each([[['']], [['a', 'b']], [['a,b', 'c\\', ',', '']], [['\\,', '\\\\,,']]])('come back: %j', (parts) => {
    expect(split(joined(parts))).toEqual(parts)
  })
})

describe('a query', () => {
  test('leaves what people read', () => {
    expect(
      format([
        ['full', 'train/loss:a, b'],
        ['n', '1=2'],
      ]),
    ).toBe('?full=train/loss:a,+b&n=1=2')
  })

  test('hides what would end it', () => {
    expect(format([['a&b', '1&2#3+4']])).toBe('?a%26b=1%262%233%2B4')
    expect(parse(format([['a&b', '1&2#3+4']]))).toEqual([['a&b', '1&2#3+4']])
  })

  test('keeps half a character from breaking the page', () => {
    expect(format([['full', '\ud83d']])).toBe('?full=%EF%BF%BD')
  })

  test('is nothing for nothing', () => {
    expect(format([])).toBe('')
  })
})

test('numbers are finite or none', () => {
  expect(['1', '-2.5', '1e3', '', ' ', 'NaN', 'Infinity', '1px'].map(number)).toEqual([
    1,
    -2.5,
    1000,
    undefined,
    undefined,
    undefined,
    undefined,
    undefined,
  ])
})

test.each([
  [[123.45678901234567, 987.6543210987654], '123.457..987.654'],
  [[1_699_999_999.123456, 1_700_003_599.987654], '1699999999.12..1700003599.99'],
  [[0.000001234567890123, 1], '0.00000123457..1'],
  [[0, 48_000], '0..48000'],
  [[12_345_678.9, 98_765_432.1], '12345700..98765400'],
  [[-0.1234567890123, 0.1], '-0.123457..0.1'],
  [[5, 5], '5..5'],
] as const)('%j is written to the precision of a pixel: %s', (ends, words) => {
  expect(range.write(ends)).toBe(words)
})

test('ranges go from the lesser to the greater', () => {
  expect(['1..2', '2..1', '3..3', '-1..1e3', '1', '1..', '..'].map((value) => range.read(value))).toEqual([
    [1, 2],
    undefined,
    [3, 3],
    [-1, 1000],
    undefined,
    undefined,
    undefined,
  ])
})

test('flags are there or not', () => {
  expect([['1'], [''], ['0'], []].map((values) => flag('f').read(values))).toEqual([true, true, false, false])
})

test('lists and tables leave out what makes no sense', () => {
  expect(many('r', range).read(['1..2', 'x', '3..4'])).toEqual([
    [1, 2],
    [3, 4],
  ])
  expect(keyed('r', range).read(['1..2;a;b', 'x;c'])).toEqual({ 'a;b': [1, 2] })
  expect(keyed('t', text).write({ b: 'a' })).toEqual(['a;b'])
})
