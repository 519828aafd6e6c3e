// Rows and columns of the grid.
import { expect, test } from 'vitest'
import { linesOf, visible } from './grid'

test('a row is a tag with the chosen item, or each item of each tag', () => {
  const itemsOf = (tag: string): number => (tag === 'a' ? 2 : 1)
  expect(linesOf(['a', 'b'], 'tags', 5, itemsOf)).toEqual([
    { tag: 'a', item: 5 },
    { tag: 'b', item: 5 },
  ])
  expect(linesOf(['a', 'b'], 'items', 5, itemsOf)).toEqual([
    { tag: 'a', item: 0 },
    { tag: 'a', item: 1 },
    { tag: 'b', item: 0 },
  ])
})

test.each([
  [0, 300, 100, 1000, 0, 4],
  [250, 300, 100, 1000, 1, 7],
  [99_900, 300, 100, 1000, 998, 1000],
  [0, 0, 100, 3, 0, 1],
  [0, 300, 100, 0, 0, 0],
  [900, 300, 100, 2, 1, 2],
])('scrolled by %i of rows of %i', (scrolled, room, each, count, from, to) => {
  expect(visible(scrolled, room, each, count)).toEqual({ from, to })
})
