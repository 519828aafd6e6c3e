// Facts of the images in links.
import { expect, test } from 'vitest'
import { imageFacts } from './facts'

test.each([
  ['zoom', { scale: 8, x: 0.25, y: 0.5 }, '8@0.2500,0.5000'],
  ['focus', { tag: 'val/a,b', run: 'x\\y' }, 'val/a\\,b,x\\\\y'],
  ['compare', { mode: 'swipe', a: { run: 'a', step: null }, b: { run: 'b,c', step: 20 } }, 'swipe,a,,b\\,c,20'],
  ['gamma', 2.2, '2.2'],
  ['item', 3, '3'],
] as const)('%s is written and read', (name, value, text) => {
  const fact = imageFacts[name] as unknown as {
    write: (value: unknown) => readonly string[]
    read: (values: readonly string[]) => unknown
  }
  expect(fact.write(value)).toEqual([text])
  expect(fact.read([text])).toEqual(value)
})

test('what is invalid in a link is left out or brought into its range', () => {
  expect(imageFacts.zoom.read(['-1@0.5,0.5'])).toBeUndefined()
  expect(imageFacts.zoom.read(['9e9@7,-7'])).toEqual({ scale: 64, x: 1, y: 0 })
  expect(imageFacts.compare.read(['melt,a,,b,'])).toBeUndefined()
  expect(imageFacts.focus.read(['only'])).toBeUndefined()
  expect(imageFacts.contrast.read(['-3'])).toBe(0)
  expect(imageFacts.item.read(['1.6'])).toBe(2)
})
