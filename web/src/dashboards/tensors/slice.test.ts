// Which part of a tensor a table has.
import { expect, test } from 'vitest'
import { slice } from './facts'
import { gridOf, partOf, START } from './slice'

test('a page begins where people chose, within the tensor', () => {
  expect(partOf([7, 1000, 8], START)).toEqual({ index: [0], rows: [0, 50], columns: [0, 8] })
  expect(partOf([7, 1000, 64], { index: [3], row: 100, column: 60 })).toEqual({
    index: [3],
    rows: [100, 150],
    columns: [60, 64],
  })
  // Chosen in a larger tensor: the last page, the last index.
  expect(partOf([2, 120, 8], { index: [9], row: 1000, column: 40 })).toEqual({
    index: [1],
    rows: [100, 120],
    columns: [0, 8],
  })
  expect(partOf([], START)).toEqual({ index: [], rows: [0, 1], columns: [0, 1] })
  expect(partOf([10 ** 7], { ...START, row: 1_000_000 })).toEqual({
    index: [],
    rows: [1_000_000, 1_000_500],
    columns: [0, 1],
  })
  expect(partOf([0, 3], START).rows).toEqual([0, 0])
})

test('a list is laid out in rows of ten, a table as it is', () => {
  const list = { shape: [1000], index: [], rows: [500, 523], columns: [0, 1] }
  const values = Array.from({ length: 23 }, (_, at) => [at])
  const { heads, rows } = gridOf({ ...list, values })
  expect(heads).toEqual(['+0', '+1', '+2', '+3', '+4', '+5', '+6', '+7', '+8', '+9'])
  expect(rows.map(({ head, cells }) => [head, cells.length])).toEqual([
    ['500', 10],
    ['510', 10],
    ['520', 3],
  ])
  expect(gridOf({ ...list, rows: [0, 3], values: values.slice(0, 3) }).heads).toEqual(['+0', '+1', '+2'])
  const table = {
    shape: [9, 9],
    index: [],
    rows: [4, 6],
    columns: [2, 4],
    values: [
      ['a', 'b'],
      ['c', 'd'],
    ],
  }
  expect(gridOf(table)).toEqual({
    heads: ['2', '3'],
    rows: [
      { head: '4', cells: ['a', 'b'] },
      { head: '5', cells: ['c', 'd'] },
    ],
  })
})

test.each(['1.0,50,20', ',0,20', '12,0,0'])('a slice is read as it was written: %s', (text) => {
  const read = slice.read(text)
  expect(read === undefined ? '' : slice.write(read)).toBe(text)
})

test.each(['', '1', '1,2', '1,2,3,4', '1,-2,0', '1.x,0,0', '1,0.5,0', 'a,0,0'])(
  'what is no slice is ignored: %j',
  (text) => {
    expect(slice.read(text)).toBeUndefined()
  },
)
