// A cursor is read on its own axis only.
import { expect, test } from 'vitest'
import { CursorHub, xOn, type Cursor } from './cursor'
import type { XAxis } from './facts/core'

function at(axis: XAxis, x: number): Cursor {
  return { at: { axis, x }, card: 'loss', values: new Map(), nearest: null }
}

test.each<[XAxis, XAxis, number | null]>([
  ['step', 'step', 40],
  ['step', 'wall_time', null],
  ['relative_time', 'step', null],
  [{ tag: 'epoch' }, { tag: 'epoch' }, 40],
  [{ tag: 'epoch' }, { tag: 'tokens' }, null],
  [{ tag: 'step' }, 'step', null],
])('a cursor on %j is read on %j as %j', (axis, other, x) => {
  expect(xOn(at(axis, 40), other)).toBe(x)
})

test('listeners are notified of moves and once of leaving', () => {
  const hub = new CursorHub()
  const seen: (number | null)[] = []
  const stop = hub.listen((cursor) => seen.push(xOn(cursor, 'step')))
  hub.move(at('step', 1))
  hub.leave()
  hub.leave()
  stop()
  hub.move(at('step', 2))
  expect(seen).toEqual([1, null])
})
