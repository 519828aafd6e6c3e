// Checks what the last event of a run tells about it.
import { expect, test } from 'vitest'
import { statusOf } from './status.svelte'

const NOW = 1_000_000
const run = (start: number | null, end: number | null, points: number): Parameters<typeof statusOf>[0] => ({
  start_time: start, end_time: end, points, series: 1,
})

test.each([
  ['just written', run(NOW - 1000, NOW - 5, 1000), 'running'],
  ['silent for two minutes', run(NOW - 1000, NOW - 120, 1000), 'stalled'],
  ['an event every five minutes', run(NOW - 3120, NOW - 120, 10), 'running'],
  ['silent for an hour', run(NOW - 9000, NOW - 3600, 1000), 'ended'],
  ['silent for an hour, in its pace', run(NOW - 90_000, NOW - 3600, 40), 'running'],
  ['without an event', run(null, null, 0), 'waiting'],
  ['with one event of long ago', run(NOW - 90_000, NOW - 90_000, 1), 'ended'],
] as const)('%s: %o is %s', (_, given, status) => {
  expect(statusOf(given, 'unknown', NOW)).toBe(status)
})

test('a run that said how it ended is not stalled', () => {
  expect(statusOf(run(NOW - 1000, NOW - 120, 1000), 'success', NOW)).toBe('finished')
  expect(statusOf(run(NOW - 1000, NOW - 120, 1000), 'failure', NOW)).toBe('failed')
  expect(statusOf(run(NOW - 100, NOW, 10), 'failure', NOW)).toBe('failed')
})

test('a run that writes is running, even if its hyper-parameters say success', () => {
  expect(statusOf(run(NOW - 100, NOW, 10), 'success', NOW)).toBe('running')
})
