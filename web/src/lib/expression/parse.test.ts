// Expressions: what they mean of a run, and what is said, and of which place, when they are wrong.
import { expect, test } from 'vitest'
import type { ExpressionError } from './error'
import { compile, requirements, type Cell, type Fields } from './evaluate'
import { parse } from './parse'
import { quantity } from './tokens'

const RUN: Readonly<Record<string, Cell>> = {
  lr: 0.003,
  wd: '0.01',
  model: 'ResNet18',
  'use amp': true,
  nesterov: false,
  'val/acc.max': 0.93,
  'val/loss.last': NaN,
  duration: 7300,
  started: new Date(2026, 10, 15, 12).getTime() / 1000,
  tags: ['paper', 'wip'],
  'warm-up': 500,
  'opt/name': 'adamw',
}
const FIELDS: Fields = {
  field: (name) => (name in RUN || name === 'missing' ? { value: () => RUN[name] ?? null } : null),
  labels: () => ['paper', 'wip'],
}

const isTrue = (text: string): boolean => compile(parse(text), FIELDS)('run')

test.each([
  'lr < 0.01',
  'lr<0.01',
  'lr = 3m',
  'lr = 3e-3',
  'lr == 0.003',
  'lr >= 3000u',
  'lr != 0.004',
  'lr in (0.1, 0.003)',
  'lr not in (0.1, 1)',
  '0.001 < lr',
  '0.001 < lr <= 0.003',
  'wd < 0.1',
  'wd = 0.01',
  'model = resnet18',
  'model = "ResNet18"',
  "model = 'resnet18'",
  'model ~ ^res.*18$',
  'model ~ /net\\d+/',
  'model ~ "resnet(18|34)"',
  'model ~ res(net|next) and lr < 1',
  '(model ~ res(net|next)) and lr < 1',
  'model !~ vit',
  'model < vit',
  '`use amp` = true',
  '`use amp`',
  'not nesterov',
  'nesterov = no and lr < 1',
  'val/acc.max > 0.9',
  'val/acc.max > 90%',
  'lr < 0.01 and val/acc.max > 0.9',
  'lr > 1 or val/acc.max > 0.9',
  'lr > 1 or lr < 1 and wd > 0',
  'not (lr > 1 or wd > 1)',
  'not lr > 1',
  'missing = 1 or lr < 1',
  'not missing = 1',
  'duration > 2h',
  'duration < 3h',
  'duration > 120min',
  'started >= 2026-11-15',
  'started < 2026-11-15T13:00',
  'has lr',
  'has paper',
  'has PAPER and not has best',
  'tags = paper',
  'tags ~ ^wi',
  'tags != best',
  'tags in (best, wip)',
  'warm-up = 500',
  'opt/name = adamw',
  'lr < 0.01 && wd > 0 || lr > 1',
  'lr < 1 AND wd < 1',
])('%s holds', (text) => {
  expect(isTrue(text)).toBe(true)
})

test.each([
  'lr < 0.003',
  'lr = 0.0030001 and lr > 1',
  'missing = 1',
  'missing != 1',
  'missing !~ a',
  'missing not in (1)',
  'has missing',
  'val/loss.last < 1',
  'val/loss.last >= 1',
  'model > 3',
  'model = resnet',
  'tags != paper',
  'tags not in (wip)',
  'nesterov',
  'lr > 1 or wd > 1',
  'lr < 1 and not wd < 1',
])('%s does not hold', (text) => {
  expect(isTrue(text)).toBe(false)
})

test.each([
  ['lr <', 'A value is missing after <', 4],
  ['lr < and', 'A value is missing after <', 5],
  ['lr < 1 and', 'A condition is missing here', 10],
  ['lr < 1 and   ', 'A condition is missing here', 10],
  ['lr < 1 wd > 2', 'Expected “and” or “or” before “wd”', 7],
  ['(lr < 1', 'Unclosed parenthesis', 0],
  ['lr < 1)', 'Unmatched closing parenthesis', 6],
  ['lr in 1', 'A list such as (a, b) is missing after “in”', 6],
  ['lr in (1, 2', 'Unclosed list', 11],
  ['lr in ()', 'A value is missing after this', 7],
  ['has', 'A name is missing after “has”', 3],
  ['not', 'A condition is missing here', 3],
  ['model = "res', 'Unclosed quote', 8],
  ['`use amp = 1', 'Unclosed backtick', 0],
  ['model ~ (a', 'Unclosed parenthesis', 8],
  ['model ~ "(a"', 'Unclosed parenthesis', 9],
  ['lr < 1 and lrr > 2', 'No run has a hyper-parameter or tag called “lrr”', 11],
  ['3 and lr < 1', 'A comparison is missing after 3', 1],
  ['3 < ', 'A name is missing after <', 3],
  [`${'('.repeat(200)}lr < 1`, 'Nested too deeply', 100],
])('%s is wrong: %s', (text, message, at) => {
  let error: unknown
  try {
    isTrue(text)
  } catch (thrown) {
    error = thrown
  }
  expect([(error as ExpressionError).message, (error as ExpressionError).at]).toEqual([message, at])
})

test.each([
  ['10k', 1e4],
  ['300µ', 300e-6],
  ['300u', 300e-6],
  ['5M', 5e6],
  ['1.5G', 1.5e9],
  ['1e-3', 1e-3],
  ['-2', -2],
  ['.5', 0.5],
  ['1_000', 1000],
  ['50%', 0.5],
  ['2h', 7200],
  ['3min', 180],
  ['2d', 172800],
  ['-inf', -Infinity],
  ['1e400', Infinity],
])('%s is the number %d', (word, number) => {
  expect(quantity(word)).toBe(number)
})

test.each(['k', 'resnet18', '2026-11-15', '1e', '18layers', '-', '1.2.3'])('%s is no number', (word) => {
  expect(quantity(word)).toBeNull()
})

test.each([
  ['lr < 0.001', ['with lr of 0.001 or more']],
  ['lr > 1 and val/acc.max > 0.95', ['with lr of 1 or less', 'with val/acc.max of 0.95 or less']],
  ['lr >= 1', ['with lr below 1']],
  ['lr <= 0.001', ['with lr above 0.001']],
  ['missing > 1', ['without missing']],
  ['model in (a, b)', ['with model other than a, b']],
  ['model != resnet18', ['with model of resnet18']],
  ['model ~ vit', ['with model not like vit']],
  ['has missing', ['without missing']],
  ['not has paper', ['with has paper']],
  ['lr > 1 or lr < 0', ['without any of lr > 1 or lr < 0']],
  ['lr < 1 and nesterov', ['where nesterov is not set']],
])('runs that fail %s are distinguished', (text, reasons) => {
  const failed = requirements(parse(text), FIELDS).filter((part) => !part.check('run'))
  expect(failed.map((part) => part.reason('run'))).toEqual(reasons)
})
