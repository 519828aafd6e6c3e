// Every state of the connection has a word.
import { expect, test } from 'vitest'
import { connectionText, lastLogged, liveState, type LiveInput } from './live'
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

test('the last event is as old as its time, and not as when the page received it', () => {
  const day = 86_400
  const now = 1000 * day
  const runs = [{ end_time: 10 * day }, { end_time: null }, { end_time: 30 * day }]
  expect(lastLogged(runs, now)).toBe(30 * day)
  const text = (logged: number | null, lostAt: number | null): string =>
    connectionText('Live', { lostAt, logged, now: now * 1000 })
  expect(text(30 * day, null)).toBe('Live, last event 970 d ago')
  expect(text(null, null)).toBe('Live')
  // A clock that is a little ahead does not matter; what is dated in the future was not logged now.
  expect(lastLogged([...runs, { end_time: now + 60 }], now)).toBe(now + 60)
  expect(lastLogged([...runs, { end_time: now + day }], now)).toBe(30 * day)
})

test('silence is counted from when the server stopped, and not from its last event', () => {
  const now = 5_000_000
  expect(connectionText('Not connected', { lostAt: now - 4_000, logged: 10, now })).toBe(
    'Not connected, no response for 4 s',
  )
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
