// Texts in rows of one height.
import { expect, test } from 'vitest'
import { rowsOf, rowText } from './lines'

function rows(text: string, columns = 80, most = 1_000_000): [line: number, text: string][] {
  const found = rowsOf(text, columns, most)
  return Array.from({ length: found.count }, (_, row) => [found.lines[row] ?? 0, rowText(text, found, row)])
}

test.each([
  ['', [[1, '']]],
  ['a', [[1, 'a']]],
  ['a\nb', [[1, 'a'], [2, 'b']]], // prettier-ignore
  ['a\r\n\nb\n', [[1, 'a'], [2, ''], [3, 'b'], [4, '']]], // prettier-ignore
])('%j has rows', (text, expected) => {
  expect(rows(text)).toEqual(expected)
})

test('long lines are broken, and characters are not', () => {
  expect(rows('abcdef\ngh', 3)).toEqual([
    [1, 'abc'],
    [1, 'def'],
    [2, 'gh'],
  ])
  expect(rows('a🙂b', 2)).toEqual([
    [1, 'a'],
    [1, '🙂'],
    [1, 'b'],
  ])
  const long = 'x'.repeat(1_000_001)
  expect(rows(long, 100)).toHaveLength(10_001)
})

test('rows beyond the limit are left out, and that is said', () => {
  const cut = rowsOf('\n'.repeat(5_000), 80, 100)
  expect([cut.count, cut.isCut]).toEqual([100, true])
  expect(rowsOf('x'.repeat(99), 10, 100).isCut).toBe(false)
  expect(rowsOf('x'.repeat(2_000), 10, 100).isCut).toBe(true)
})

test('all rows together are the text', () => {
  const text = Array.from({ length: 3_000 }, (_, at) => 'line '.repeat(at % 40)).join('\n')
  const found = rowsOf(text, 33, 1_000_000)
  const all = Array.from({ length: found.count }, (_, row) => text.slice(found.starts[row], found.starts[row + 1]))
  expect(all.join('')).toBe(text)
})
