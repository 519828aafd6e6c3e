// Links made of any facts: their order, defaults, and what is refused.
import { expect, test } from 'vitest'
import { flag, many, one, text, word } from '../lib/query'
import { LinkFormat } from './link'

const core = { tab: one('tab', text, 'a'), isTable: flag('table') }
const own = { layout: one('own.layout', word('cards', 'grid'), 'cards', { after: 'tab' }), tags: many('own.tag', text) }

test('a fact is written after the one it names, otherwise in the order of declaration', () => {
  const link = new LinkFormat([core, own])
  const query = '?tab=b&own.layout=grid&table=1&own.tag=x&own.tag=y&theirs=1'
  const read = link.read(query)
  expect(read).toEqual({
    values: { tab: 'b', 'own.layout': 'grid', table: true, 'own.tag': ['x', 'y'] },
    others: [['theirs', '1']],
  })
  expect(link.write(read)).toBe(query)
})

test('what is absent or invalid has its default, which is not written', () => {
  const link = new LinkFormat([core, own])
  expect(link.read('?own.layout=list').values).toEqual(link.defaults)
  expect(link.defaults).toEqual({ tab: 'a', 'own.layout': 'cards', table: false, 'own.tag': [] })
  expect(link.write({ values: link.defaults, others: [] })).toBe('')
})

test('parameters of facts that are not declared stay as they are', () => {
  const link = new LinkFormat([core])
  expect(link.write(link.read('?tab=b&own.layout=grid'))).toBe('?tab=b&own.layout=grid')
})

test('two facts of one parameter are refused', () => {
  expect(() => new LinkFormat([core, { other: flag('table') }])).toThrow('two facts have the parameter: table')
})
