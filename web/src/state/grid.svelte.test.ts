// Checks how many cards are side by side.
import { expect, test } from 'vitest'
import { GridSize } from './grid.svelte'

test.each([
  [1100, 0, 3],
  [1100, 4, 3],
  [1400, 4, 4],
  [1400, 0, 3],
  [700, 3, 2],
  [300, 2, 1],
  [0, 3, 1],
])('on %i pixels, %i chosen columns are %i', (width, chosen, columns) => {
  const grid = new GridSize()
  grid.width = width
  expect(grid.columns(chosen)).toBe(columns)
})
