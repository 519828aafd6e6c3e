// Checks the lines of the rail and which of them are on the screen.
import { expect, test } from 'vitest'
import type { Group } from '../state/groups.svelte'
import type { Entry } from '../state/runs.svelte'
import { heightOf, rowsOf, visible, type Layout } from './rows'

function entry(name: string, parts: readonly string[] = []): Entry {
  const run = (part: string): Entry['run'] => ({ name: part }) as Entry['run']
  return {
    name,
    run: run(name),
    parts: parts.map((part) => ({ run: run(`${name}/${part}`), kind: 'scalars', label: part, tag: 'loss' })),
  }
}

function group(name: string, ...entries: Entry[]): Group {
  return { key: name, name, entries, isRest: false }
}

const USUAL = {
  isPinned: () => false,
  isOpen: () => true,
  isSpread: () => false,
  isSetAside: () => false,
  isHiddenOpen: () => false,
}

function keys(layout: Partial<Layout> & Pick<Layout, 'groups'>): string[] {
  return rowsOf({ ...USUAL, ...layout }).map((row) => row.key)
}

test('groups are followed by their runs, unless they are closed', () => {
  const groups = [group('a', entry('a/1'), entry('a/2')), group('b', entry('b/1'))]
  expect(keys({ groups })).toEqual(['group:a', 'run:a/1', 'run:a/2', 'group:b', 'run:b/1'])
  expect(keys({ groups, isOpen: ({ key }) => key === 'b' })).toEqual(['group:a', 'group:b', 'run:b/1'])
})

test('a group without a name has no header', () => {
  expect(keys({ groups: [group('', entry('x'))], isOpen: () => false })).toEqual(['run:x'])
})

test('pinned runs come first and only once', () => {
  const groups = [group('a', entry('a/1'), entry('a/2'))]
  expect(keys({ groups, isPinned: (name) => name === 'a/2' })).toEqual(['pinned', 'run:a/2', 'group:a', 'run:a/1'])
})

test('parts are listed under their run when asked for', () => {
  const groups = [group('', entry('x', ['train', 'val']))]
  expect(keys({ groups })).toEqual(['run:x'])
  expect(keys({ groups, isSpread: () => true })).toEqual(['run:x', 'part:x/train', 'part:x/val'])
})

test('runs that are set aside follow the others of their group, in a section that is closed at first', () => {
  const groups = [group('a', entry('a/1'), entry('a/2'), entry('a/3')), group('b', entry('b/1'))]
  const isSetAside = (name: string): boolean => name !== 'a/2'
  expect(keys({ groups, isSetAside })).toEqual(['group:a', 'run:a/2', 'hidden:a', 'group:b', 'hidden:b'])
  const isOpen = { isHiddenOpen: ({ key }: Group) => key === 'a' }
  expect(keys({ groups, isSetAside, ...isOpen }).slice(1, 5)).toEqual(['run:a/2', 'hidden:a', 'run:a/1', 'run:a/3'])
  // A pinned one is in sight already.
  expect(keys({ groups, isSetAside, isPinned: (name) => name === 'b/1' })).not.toContain('hidden:b')
})

test('ten thousand rows are found by their place as if each were looked at', () => {
  const groups = Array.from({ length: 100 }, (_, at) => {
    const name = `g${String(at)}`
    return group(name, ...Array.from({ length: 100 }, (_, run) => entry(`${name}/${String(run)}`)))
  })
  const rows = rowsOf({ ...USUAL, groups })
  expect(rows).toHaveLength(10_100)
  for (const top of [0, 25, 26, 27, 131_313, heightOf(rows) - 700, heightOf(rows) + 5]) {
    const slow = rows.filter((row) => row.top + row.height > top && row.top < top + 700)
    expect(rows.slice(...visible(rows, top, top + 700))).toEqual(slow)
  }
})

test('nothing has no height', () => {
  expect(heightOf([])).toBe(0)
  expect(visible([], 0, 100)).toEqual([0, 0])
})
