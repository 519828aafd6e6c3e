// The kind of a filter is seen from its text alone, unless a run is called so.
import { expect, test } from 'vitest'
import { readQuery } from './query'

const read = (text: string): string => readQuery(text, (part) => 'sweep/lr=0.1,bs=4 (2)'.includes(part)).kind

test.each([
  ['', 'everything'],
  ['   ', 'everything'],
  ['adam', 'text'],
  ['resnet 18', 'text'],
  ['v1.2', 'text'],
  ['exp/a-1', 'text'],
  ['lr=0.1', 'text'],
  ['(2)', 'text'],
  ['hash', 'text'],
  ['sandy', 'text'],
  ['a|b', 'regex'],
  ['seed.*', 'regex'],
  ['^train$', 'regex'],
  ['/a.b/', 'regex'],
  ['//', 'regex'],
  ['(a', 'regex'],
  ['(?:a|b)', 'regex'],
  ['(?=a)', 'regex'],
  ['lr=0.2', 'expression'],
  ['lr < 0.1', 'expression'],
  ['lr <', 'expression'],
  ['name ~ seed', 'expression'],
  ['name~seed', 'expression'],
  ['not running and x', 'expression'],
  ['has paper', 'expression'],
  ['(has paper', 'expression'],
  ['model in (a, b)', 'expression'],
  ['model not in (a)', 'expression'],
  ['(lr < 0.1)', 'expression'],
])('"%s" is %s', (text, kind) => {
  expect(read(text)).toBe(kind)
})

test('an error is reported with its position in the text', () => {
  const query = readQuery('  /a(b/', () => false)
  expect(query.kind === 'regex' && [query.regex, query.error?.at]).toEqual([null, 4])
  const unfinished = readQuery(' lr < ', () => false)
  expect(unfinished.kind === 'expression' && [unfinished.expression, unfinished.error?.at]).toEqual([null, 5])
})
