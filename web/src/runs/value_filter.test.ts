// Conditions that are written by ticking values, and by bounds.
import { expect, test } from 'vitest'
import { parse } from '../lib/expression/parse'
import { intervalText, listText, nameOf } from './value_filter'

test.each([
  [listText('model', ['a'], false), 'model = a'],
  [listText('model', ['a', 'b c'], false), 'model in (a, "b c")'],
  [listText('depth', [18, 34], true), '(depth in (18, 34) or not has depth)'],
  [listText('amp', [true], false), 'amp = true'],
  [listText('model', [], true), 'not has model'],
  [listText('model', [], false), '(has model and not has model)'],
  [intervalText('lr', '0.1', '', false), 'lr >= 0.1'],
  [intervalText('lr', '', '1', false), 'lr <= 1'],
  [intervalText('lr', '0.1', '1', true), '(0.1 <= lr <= 1 or not has lr)'],
])('%s', (text, expected) => {
  expect(text).toBe(expected)
  expect(() => parse(text)).not.toThrow()
})

test('a column has the name that expressions know', () => {
  expect(nameOf({ subject: 'lr', stat: null })).toBe('lr')
  expect(nameOf({ subject: 'val/acc', stat: 'max' })).toBe('val/acc.max')
  expect(nameOf({ subject: 'odd name', stat: 'min' })).toBe('`odd name`.min')
})
