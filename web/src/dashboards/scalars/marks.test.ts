// Notes, restarts, gaps and the best point.
import { expect, test } from 'vitest'
import type { Line } from '../../charts/line/types'
import { cardMarks, type Known } from './marks'
import type { Source } from './sources'

const style = { colour: '#000000', dash: 'solid', role: 'lead' } as const
const source: Source = { key: 'a\0loss', entry: 'a', run: 'a', tag: 'loss', label: 'A', style, isGrowing: false }
const data = { kind: 'points', x: Int32Array.of(0), y: Int32Array.of(0), smoothed: null } as const
const line: Line = { key: 'a\0loss', label: 'A', data, before: null, after: null, style, isGrowing: false }
const known: Known = {
  names: ['loss'],
  kind: 'step',
  sources: new Map([[source.key, source]]),
  lines: [line],
  notes: [],
  restarts: new Map([['a', [{ step: 700, hiddenPoints: 3 }]]]),
  gaps: new Map([['a', [{ from: 10, to: 20 }]]]),
  best: { key: 'a\0loss', x: 5, value: 0.25 },
}

test('restarts and gaps belong to the line of their run', () => {
  const marks = cardMarks(known)
  expect(marks).toContainEqual({
    kind: 'restart',
    x: 700,
    key: 'a\0loss',
    label: 'A restarted at 700, 3 points superseded',
  })
  expect(marks).toContainEqual({ kind: 'gap', x: 10, to: 20, key: 'a\0loss', label: 'damaged record, steps 10 to 20' })
  expect(marks).toContainEqual({ kind: 'best', x: 5, y: 0.25, key: 'a\0loss', label: 'best 0.25, A' })
})

test('a file that is damaged at its end is torn there', () => {
  const marks = cardMarks({
    ...known,
    gaps: new Map([
      [
        'a',
        [
          { from: 48, to: null },
          { from: null, to: null },
        ],
      ],
    ]),
  })
  expect(marks).toContainEqual({ kind: 'gap', x: 48, key: 'a\0loss', label: 'damaged file from step 48' })
  expect(marks).toContainEqual({ kind: 'gap', x: 0, key: 'a\0loss', label: 'damaged file from step 0' })
  const zoomed: Line = { ...line, after: [100, 1, null] }
  expect(
    cardMarks({ ...known, lines: [zoomed], gaps: new Map([['a', [{ from: null, to: null }]]]) }).filter(
      ({ kind }) => kind === 'gap',
    ),
  ).toEqual([])
})

test('a note is shown in the charts of its tag, if its run is shown', () => {
  const note = { id: '1', text: 'new data', tag: 'loss', run: null, step: 3 }
  const notes = [
    note,
    { ...note, id: '2', tag: 'acc' },
    { ...note, id: '3', run: 'b' },
    { ...note, id: '4', tag: null, text: 'everywhere', run: 'a' },
  ]
  const labels = cardMarks({ ...known, notes })
    .filter((mark) => mark.kind === 'note')
    .map((mark) => mark.label)
  expect(labels).toEqual(['new data', 'everywhere'])
})

test('what is known by its step is not marked on another axis; the best point is', () => {
  expect(cardMarks({ ...known, kind: 'duration' }).map((mark) => mark.kind)).toEqual(['best'])
})
