// Checks what mouse and keys do with rows of runs, in the list and in the table alike.
import { expect, test } from 'vitest'
import type { Entry } from '../state/runs.svelte'
import { RowCursor, type CursorRow } from './row_cursor.svelte'

const ROW = 10
const entry = (name: string): Entry => ({ name, parts: [] }) as unknown as Entry
const run = (name: string): CursorRow => ({ key: `run:${name}`, kind: 'run', entry: entry(name) })
const ROWS: readonly CursorRow[] = [{ key: 'group', kind: 'group' }, run('a'), run('b'), run('c'), run('d')]

function made(...shown: string[]) {
  const element = { clientHeight: 35, scrollTop: 0 } as unknown as HTMLElement
  const names = new Set(shown)
  const selection = {
    highlighted: null as string | null,
    isShown: (name: string) => names.has(name),
    show: (all: readonly string[], isShown: boolean) => {
      for (const name of all)
        if (isShown) names.add(name)
        else names.delete(name)
    },
    solo: (name: string) => {
      names.clear()
      names.add(name)
    },
    only: (all: readonly string[]) => {
      names.clear()
      for (const name of all) names.add(name)
    },
  }
  const list = {
    rows: ROWS,
    element,
    head: 5,
    runs: (row: CursorRow) =>
      row.kind === 'run' ? [row.entry] : row.kind === 'group' ? ['a', 'b', 'c', 'd'].map(entry) : [],
    top: (index: number) => index * ROW,
    scrolled: () => undefined,
  }
  const keys = new RowCursor<CursorRow>(list, selection)
  const press = (key: string, shiftKey = false): boolean =>
    keys.press({ key, shiftKey } as KeyboardEvent, ROWS[keys.at] as CursorRow)
  return { keys, press, element, selection, shown: () => [...names].sort().join('') }
}

test('space hides the runs of a row if all are shown, and shows them otherwise', () => {
  const { press, shown } = made('a')
  press(' ')
  expect(shown()).toBe('abcd')
  press(' ')
  expect(shown()).toBe('')
  press('ArrowDown')
  press(' ')
  expect(shown()).toBe('a')
  press('o')
  expect(shown()).toBe('a')
})

test('shift brings all rows from the first one into its state', () => {
  const { keys, press, shown } = made('b')
  keys.move(2, false)
  press('ArrowDown', true)
  press('ArrowDown', true)
  expect(shown()).toBe('bcd')
  // Without shift a range begins at another row.
  press('Home')
  expect(keys.hasAnchor).toBe(false)
})

test('the row that keys go to is scrolled into sight and highlighted', () => {
  const { press, element, selection } = made()
  press('End')
  expect(element.scrollTop).toBe(20)
  expect(selection.highlighted).toBe('d')
  press('Home')
  expect(element.scrollTop).toBe(0)
  expect(selection.highlighted).toBeNull()
  press('PageDown')
  expect(selection.highlighted).toBe('b')
})

test('other keys are left to the list', () => {
  const { press } = made()
  expect(press('Enter')).toBe(false)
  expect(press('x')).toBe(false)
})
