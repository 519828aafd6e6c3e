// Conditions that are written into a filter and taken out of it.
import { expect, test } from 'vitest'
import { clauses, withCondition } from './edit'
import { readQuery } from './query'

function edited(text: string, condition: string | null, name: string): string {
  return withCondition(
    text,
    readQuery(text, () => false),
    condition,
    (part) => clauses(part).every((clause) => clause.name.text === name),
  )
}

test.each([
  ['', 'lr < 1', 'lr < 1'],
  ['wd > 1', 'lr < 1', 'wd > 1 and lr < 1'],
  ['lr > 5 and wd > 1', 'lr < 1', 'wd > 1 and lr < 1'],
  ['1 < lr < 5 and wd > 1', 'lr < 1', 'wd > 1 and lr < 1'],
  ['lr > 5 and wd > 1', null, 'wd > 1'],
  ['lr > 5', null, ''],
  ['(lr > 5 or wd > 1) and lr < 9', 'lr < 1', '(lr > 5 or wd > 1) and lr < 1'],
  ['(lr < 1 or not has lr)', 'lr < 2', 'lr < 2'],
  ['a > 1 or b > 2', 'lr < 1', '(a > 1 or b > 2) and lr < 1'],
  ['adam', 'lr < 1', 'name ~ "adam" and lr < 1'],
  ['v1.2', 'lr < 1', 'name ~ "v1\\\\.2" and lr < 1'],
  ['a|b', 'lr < 1', 'name ~ /a|b/ and lr < 1'],
  ['/a|b/', 'lr < 1', 'name ~ /a|b/ and lr < 1'],
  ['adam', null, 'name ~ "adam"'],
])('%s with %s is %s', (text, condition, expected) => {
  expect(edited(text, condition, 'lr')).toBe(expected)
})
