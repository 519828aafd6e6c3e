// Checks which edits come from what somebody typed about a run.
import { expect, test } from 'vitest'
import { changes, type Draft } from './draft'

const EMPTY: Draft = { title: '', colour: null, dash: 'solid', tags: '', note: '' }

test('nothing changed is nothing to edit', () => {
  expect(changes('a', { tags: [] }, EMPTY)).toEqual([])
  expect(
    changes('a', { title: 'A', dash: 'dotted', tags: ['x'] }, { ...EMPTY, title: 'A', dash: 'dotted', tags: 'x' }),
  ).toEqual([])
})

test('what was typed is set', () => {
  expect(
    changes(
      'a',
      { tags: ['old', 'kept'] },
      { title: ' Best ', colour: 'run-3', dash: 'dashed', tags: 'kept, new,,', note: ' why ' },
    ),
  ).toEqual([
    { key: ['run', 'a', 'title'], value: 'Best' },
    { key: ['run', 'a', 'colour'], value: 'run-3' },
    { key: ['run', 'a', 'dash'], value: 'dashed' },
    { key: ['run', 'a', 'note'], value: 'why' },
    { key: ['run', 'a', 'tag', 'old'], value: null },
    { key: ['run', 'a', 'tag', 'new'], value: true },
  ])
})

test('what was emptied is deleted', () => {
  expect(changes('a', { title: 'A', colour: '#123456', dash: 'dashed', note: 'n', tags: [] }, EMPTY)).toEqual([
    { key: ['run', 'a', 'title'], value: null },
    { key: ['run', 'a', 'colour'], value: null },
    { key: ['run', 'a', 'dash'], value: null },
    { key: ['run', 'a', 'note'], value: null },
  ])
})

test('the name of the run itself is no other name', () => {
  expect(changes('a', { tags: [] }, { ...EMPTY, title: 'a' })).toEqual([])
})
