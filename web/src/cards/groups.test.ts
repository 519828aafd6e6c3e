// Which card is in which group.
import { expect, test } from 'vitest'
import { BLOCK, blocksOf, groupKey, groupTags, pinnedGroup, placesOf, tagCard } from './groups'

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

/** Groups by how many cards they have, as `across/rowAcross`, with a bar where a row ends. */
function placed(sizes: readonly number[], columns: number, pinned = 0): string {
  const tags = sizes.flatMap((size, group) => Array.from({ length: size }, (_, at) => `${String(group)}/${String(at)}`))
  const pins = pinnedGroup(Array.from({ length: pinned }, (_, at) => card(String(at))))
  const places = placesOf([...pins, ...groupTags(tags, everything, card)], columns)
  return [...places.values()]
    .map(({ across, rowAcross, isLast }) => `${String(across)}/${String(rowAcross)}${isLast ? ' |' : ''}`)
    .join(' ')
}

test('small groups share a row, and fill it', () => {
  expect(placed([1, 1, 1], 3)).toBe('1/3 1/3 1/3 |')
  expect(placed([2, 1, 1], 3)).toBe('2/3 1/3 | 1/1 |')
  expect(placed([1, 5, 1], 3)).toBe('1/1 | 3/3 | 1/1 |')
  expect(placed([1, 2, 2], 4)).toBe('1/3 2/3 | 2/2 |')
  expect(placed([1, 1], 1)).toBe('1/1 | 1/1 |')
})

test('pinned cards have a row of their own, two of them at most side by side', () => {
  expect(placed([1], 3, 3)).toBe('2/2 | 1/1 |')
  expect(placed([1], 3, 1)).toBe('1/1 | 1/1 |')
})
