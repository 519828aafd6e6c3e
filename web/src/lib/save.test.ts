// Names of files.
import { expect, test } from 'vitest'
import { fileName } from './save'

test.each([
  ['train/loss', 'train_loss.csv'],
  ['a, b - c', 'a_b_-_c.csv'],
  ['../..', '.._...csv'],
  ['//', 'chart.csv'],
])('%s is saved as %s', (title, name) => {
  expect(fileName(title, 'csv')).toBe(name)
})
