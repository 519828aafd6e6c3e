// Expressions that the server would refuse are refused while they are typed; unknown tags are named.
import { expect, test } from 'vitest'
import { corrected, expressionFault } from './chart_expression'

const TAGS = ['train/loss', 'val/loss', 'val/acc', '1st layer']

test.each(['train/loss - val/loss', 'min(train/loss, 2) * -(val/loss + .5)', 'log(`1st layer`) / 1e3', 'val/acc'])(
  '%s is right',
  (text) => {
    expect(expressionFault(text, TAGS)).toBeNull()
  },
)

test.each([
  ['log(', 'Unclosed parenthesis.', 3],
  ['(train/loss', 'Unclosed parenthesis.', 0],
  ['train/loss)', 'Unmatched closing parenthesis.', 10],
  ['train/loss -', 'A tag, a number or “(” is missing at the end.', 12],
  ['train/loss val/loss', 'Unexpected “val/loss”.', 11],
  ['sin(train/loss)', 'Unknown function “sin”; use one of abs, log, log10, exp, sqrt, min, max.', 0],
  ['max(train/loss)', '“max” takes at least two values.', 0],
  ['abs(train/loss, 2)', 'Unexpected “,”.', 14],
  ['train/loss ? 2', 'Unexpected “?”; put tags that contain it in backticks.', 11],
  ['1st', 'Not a number; put tags that start with a digit in backticks.', 0],
  ['`train', 'Unclosed or empty backticks.', 0],
  ['1 + 2', 'Name at least one tag.', 0],
  ['('.repeat(60), 'Nested too deeply.', 50],
])('%s is wrong: %s', (text, message, at) => {
  expect(expressionFault(text, TAGS)).toMatchObject({ message, at })
})

test('an unknown tag is named, with what may have been meant', () => {
  const text = 'trian/loss - val/loss'
  const fault = expressionFault(text, TAGS)
  expect(fault).toMatchObject({ message: 'Unknown tag “trian/loss”.', suggestions: ['train/loss'] })
  expect(fault && corrected(text, fault, 'train/loss')).toBe('train/loss - val/loss')
  expect(fault && corrected(text, fault, '1st layer')).toBe('`1st layer` - val/loss')
})

test('tags are not judged before they are known', () => {
  expect(expressionFault('trian/loss', null)).toBeNull()
})
