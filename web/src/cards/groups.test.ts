// Which card is in which group.
import { expect, test } from 'vitest'
import { BLOCK, blocksOf, groupKey, groupTags, tagCard } from './groups'

const everything = (): boolean => true
const card = (tag: string) => tagCard('scalars', tag)

test.each([
  ['train/loss', 'train/'],
  ['train/head/loss', 'train/'],
  ['loss', '/'],
  ['/loss', '/'],
])('the group of %s is what precedes its first slash', (tag, expected) => {
  expect(groupKey(tag)).toBe(expected)
})

test('tags without a folder come first, the others by folder in their order', () => {
  const groups = groupTags(['train/a', 'loss', 'val/a', 'train/b'], everything, card)
  expect(groups.map((group) => [group.title, group.cards.map((card) => card.names[0])])).toEqual([
    ['Top level', ['loss']],
    ['train/', ['train/a', 'train/b']],
    ['val/', ['val/a']],
  ])
})

test('a tag that begins with a slash is in the same group as those without a folder', () => {
  const groups = groupTags(['/loss', 'loss', 'train/a'], everything, card)
  expect(groups.map((group) => [group.key, group.cards.map((card) => card.names[0])])).toEqual([
    ['/', ['/loss', 'loss']],
    ['train/', ['train/a']],
  ])
})

test('what is filtered out is counted, and a group without any card is left out', () => {
  const groups = groupTags(['train/a', 'train/b', 'val/a'], (tag) => tag === 'train/b', card)
  expect(groups).toHaveLength(1)
  expect(groups[0]).toMatchObject({ key: 'train/', total: 2, cards: [{ id: 'scalars:train/b' }] })
})

test('blocks are full but for the last', () => {
  const cards = Array.from({ length: 2 * BLOCK + 1 }, (_, at) => tagCard('scalars', String(at)))
  const blocks = blocksOf(cards)
  expect(blocks.map((block) => block.length)).toEqual([BLOCK, BLOCK, 1])
  expect(blocks.flat()).toEqual(cards)
  expect(blocksOf([])).toEqual([])
})
