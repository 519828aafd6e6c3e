// What is suggested at a place in a filter, and what it replaces.
import { expect, test } from 'vitest'
import { complete, nameText, valueText, type Vocabulary } from './complete'

const VOCABULARY: Vocabulary = {
  names: [
    { name: 'lr', detail: 'hyper-parameter' },
    { name: 'lr decay', detail: 'hyper-parameter' },
    { name: 'model', detail: 'hyper-parameter' },
    { name: 'val/acc', detail: 'metric' },
    { name: 'status', detail: 'field' },
  ],
  stats: ['last', 'max', 'min'],
  values: (name) => (name === 'model' ? ['resnet18', 'resnet34', 'vit'] : []),
}

test.each([
  ['|', ['lr', '`lr decay`', 'model', 'val/acc', 'status']],
  ['l|', ['lr', '`lr decay`', 'model', 'val/acc']],
  ['lr|', ['`lr decay`']],
  ['ac|', ['val/acc']],
  ['no|', ['not']],
  ['val/acc.|', ['val/acc.last', 'val/acc.max', 'val/acc.min']],
  ['val/acc.m|', ['val/acc.max', 'val/acc.min']],
  ['`lr |', ['`lr decay`']],
  ['lr |', ['<', '<=', '>', '>=', '=', '!=', '~', 'in (', 'and', 'or']],
  ['`lr decay` |', ['<', '<=', '>', '>=', '=', '!=', '~', 'in (', 'and', 'or']],
  ['lr < 0.1 |', ['and', 'or']],
  ['lr < 0.1 a|', ['and']],
  ['lr < 0.1 and mo|', ['model']],
  ['lr < 0.1 and mo| or x', ['model']],
  ['model = |', ['resnet18', 'resnet34', 'vit']],
  ['model = 34|', ['resnet34']],
  ['model in (vit, re|', ['resnet18', 'resnet34']],
  ['model in (vit) |', ['and', 'or']],
  ['has va|', ['val/acc']],
  ['(model|', []],
  ['model = "vi|', []],
  ['lr ~ |', []],
])('%s', (marked, expected) => {
  const caret = marked.indexOf('|')
  const found = complete(marked.replace('|', ''), caret, VOCABULARY)
  expect(found.suggestions.map(({ text }) => text)).toEqual(expected)
})

test('a suggestion replaces the word before the caret', () => {
  const text = 'lr < 1 and mo'
  const { from, to } = complete(text, text.length, VOCABULARY)
  expect(text.slice(from, to)).toBe('mo')
  expect(complete('`lr d', 5, VOCABULARY)).toMatchObject({ from: 0, to: 5 })
})

test.each([
  ['lr', 'lr'],
  ['val/acc', 'val/acc'],
  ['warm-up', 'warm-up'],
  ['lr decay', '`lr decay`'],
  ['status', '`status`'],
  ['and', '`and`'],
  ['1x', '`1x`'],
  ['a=b', '`a=b`'],
])('the name %s is written %s', (name, expected) => {
  expect(nameText(name)).toBe(expected)
})

test.each([
  ['vit', 'vit'],
  ['a b', '"a b"'],
  ['say "x"', '"say \\"x\\""'],
  [0.001, '0.001'],
  [true, 'true'],
  ['and', '"and"'],
  ['', '""'],
])('the value %s is written %s', (value, expected) => {
  expect(valueText(value)).toBe(expected)
})
