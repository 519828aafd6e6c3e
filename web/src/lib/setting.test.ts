// Values of settings as their declarations allow them.
import { expect, test } from 'vitest'
import { allowed, type SettingField } from './setting'

const ROWS: SettingField = { label: 'Rows', widget: 'number', default: 10, min: 1, max: 100, step: 1 }
const ORDER: SettingField = {
  label: 'Order',
  widget: 'select',
  default: 'name',
  options: [
    ['name', 'Name'],
    ['value', 'Value'],
  ],
}
const SHOWN: SettingField = { label: 'Shown', widget: 'toggle', default: true }

test.each([
  [ROWS, 12.4, 12],
  [ROWS, 5000, 100],
  [ROWS, -3, 1],
  [ROWS, NaN, 10],
  [ROWS, '12', 10],
  [ORDER, 'value', 'value'],
  [ORDER, 'colour', 'name'],
  [SHOWN, false, false],
  [SHOWN, 'yes', true],
] as const)('%o takes %s as %s', (field, value, expected) => {
  expect(allowed(field, value)).toBe(expected)
})
