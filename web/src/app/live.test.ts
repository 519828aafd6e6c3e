// Every state of the connection has a word.
import { expect, test } from 'vitest'
import { liveState, type LiveInput } from './live'
import { span } from './clock.svelte'

const CALM: LiveInput = { connection: 'live', isPaused: false, isReading: false, silence: 1_000 }

test.each<[Partial<LiveInput>, string, string]>([
  [{}, 'Live', 'good'],
  [{ isReading: true }, 'Reading', 'hollow'],
  [{ connection: 'connecting', silence: null }, 'Connecting', 'hollow'],
  [{ connection: 'polling' }, 'Polling', 'warn'],
  [{ connection: 'polling', isReading: true }, 'Polling', 'warn'],
  [{ connection: 'lost' }, 'Not connected', 'hollow'],
  [{ connection: 'lost', silence: null }, 'Not connected', 'hollow'],
  [{ connection: 'lost', silence: 150_000 }, 'Stale 2 m', 'hollow'],
  [{ connection: 'denied' }, 'Not signed in', 'hollow'],
  [{ isPaused: true, connection: 'lost', silence: 150_000 }, 'Paused', 'hollow'],
])('%o is shown as %s with a %s dot', (input, word, dot) => {
  expect(liveState({ ...CALM, ...input })).toMatchObject({ word, dot })
})

test('spans are given in their largest unit', () => {
  expect([-5, 0, 59_999, 60_000, 3_599_000, 3_600_000, 47 * 3_600_000, 49 * 3_600_000].map(span)).toEqual([
    '0 s',
    '0 s',
    '59 s',
    '1 m',
    '59 m',
    '1 h',
    '47 h',
    '2 d',
  ])
})
