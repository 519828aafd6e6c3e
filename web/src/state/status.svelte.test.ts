// Checks what follows from the last event of a run.
import { flushSync } from 'svelte'
import { afterEach, expect, test, vi } from 'vitest'
import type { Entry } from './runs.svelte'
import { Statuses, statusOf } from './status.svelte'

afterEach(() => {
  vi.useRealTimers()
})

const NOW = 1_000_000
const run = (start: number | null, end: number | null, points: number): Parameters<typeof statusOf>[0] => ({
  start_time: start,
  end_time: end,
  points,
  series: 1,
})

test.each([
  ['just written', run(NOW - 1000, NOW - 5, 1000), 'running'],
  ['silent for two minutes', run(NOW - 1000, NOW - 120, 1000), 'silent'],
  ['silent for longer than it wrote', run(NOW - 200, NOW - 120, 1000), 'ended'],
  ['closed a minute ago after a moment', run(NOW - 65, NOW - 61, 100), 'ended'],
  ['silent for twenty minutes after a day', run(NOW - 90_000, NOW - 1200, 90_000), 'silent'],
  ['an event every five minutes', run(NOW - 3120, NOW - 120, 10), 'running'],
  ['silent for an hour', run(NOW - 9000, NOW - 3600, 1000), 'ended'],
  ['silent for an hour, in its pace', run(NOW - 90_000, NOW - 3600, 40), 'running'],
  ['without an event', run(null, null, 0), 'waiting'],
  ['with one event of long ago', run(NOW - 90_000, NOW - 90_000, 1), 'ended'],
] as const)('%s: %o is %s', (_, given, status) => {
  expect(statusOf(given, 'unknown', NOW)).toBe(status)
})

test('a run is stalled that is silent and said that it is running', () => {
  expect(statusOf(run(NOW - 1000, NOW - 120, 1000), 'running', NOW)).toBe('stalled')
  expect(statusOf(run(NOW - 9000, NOW - 7000, 1000), 'running', NOW)).toBe('stalled')
  expect(statusOf(run(NOW - 1000, NOW - 5, 1000), 'running', NOW)).toBe('running')
})

test('a run that said how it ended is not silent', () => {
  expect(statusOf(run(NOW - 1000, NOW - 120, 1000), 'success', NOW)).toBe('finished')
  expect(statusOf(run(NOW - 1000, NOW - 120, 1000), 'failure', NOW)).toBe('failed')
  expect(statusOf(run(NOW - 100, NOW, 10), 'failure', NOW)).toBe('failed')
})

test('a run from the future is not running, a clock that is a little ahead does not matter', () => {
  expect(statusOf(run(NOW, NOW + 86_400, 1000), 'unknown', NOW)).toBe('ended')
  expect(statusOf(run(NOW, NOW + 86_400, 1000), 'success', NOW)).toBe('finished')
  expect(statusOf(run(NOW - 100, NOW + 60, 1000), 'unknown', NOW)).toBe('running')
})

test('a run that writes is running, even if its hyper-parameters say success', () => {
  expect(statusOf(run(NOW - 100, NOW, 10), 'success', NOW)).toBe('running')
})

test('the runs that are running are reported once, and again when one stops', async () => {
  vi.useFakeTimers({ now: NOW * 1000 })
  const entry = (name: string, end: number): [string, Entry] => [
    name,
    { name, run: { ...run(NOW - 1000, end, 1000), name }, parts: [] } as unknown as Entry,
  ]
  const statuses = new Statuses({ byName: new Map([entry('a', NOW), entry('b', NOW - 40), entry('c', NOW - 600)]) })
  const reports: string[] = []
  const stop = $effect.root(() => {
    $effect(() => {
      reports.push([...statuses.writing].join())
    })
  })
  flushSync()
  for (let n = 0; n < 6; n++) {
    await vi.advanceTimersByTimeAsync(5_000)
    flushSync()
  }
  expect(reports).toEqual(['a,b', 'a'])
  expect(statuses.of('b')).toBe('silent')
  stop()
  await vi.advanceTimersByTimeAsync(100)
  expect(vi.getTimerCount()).toBe(0)
})
