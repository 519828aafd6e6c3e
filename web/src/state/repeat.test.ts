// What is wanted is done, one at a time, with rests, and again when it failed.
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { Repeat } from './repeat'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

function counting(
  millis = 0,
  restMillis = 100,
): { repeat: Repeat; times: number[]; errors: unknown[]; isFailing: boolean } {
  const begun = Date.now()
  const found = {
    repeat: undefined as unknown as Repeat,
    times: [] as number[],
    errors: [] as unknown[],
    isFailing: false,
  }
  const act = async (): Promise<void> => {
    found.times.push(Date.now() - begun)
    await new Promise((resolve) => setTimeout(resolve, millis))
    if (found.isFailing) throw new Error('no')
  }
  found.repeat = new Repeat(act, restMillis, (error) => {
    found.errors.push(error)
  })
  return found
}

/** To ten milliseconds: a timer takes one at least. */
function about(times: readonly number[]): number[] {
  return times.map((time) => Math.floor(time / 10) * 10)
}

test('wishes of the same moment come true together, and the next after a rest', async () => {
  const { repeat, times } = counting()
  repeat.want()
  repeat.want()
  await vi.advanceTimersByTimeAsync(10)
  repeat.want()
  repeat.want()
  await vi.advanceTimersByTimeAsync(1_000)
  expect(about(times)).toEqual([0, 100])
})

test('a wish while it is done comes true afterwards', async () => {
  const { repeat, times } = counting(20)
  repeat.want()
  await vi.advanceTimersByTimeAsync(5)
  repeat.want()
  await vi.advanceTimersByTimeAsync(1_000)
  expect(about(times)).toEqual([0, 120])
})

test('what takes long is done less often', async () => {
  const { repeat, times } = counting(500)
  repeat.want()
  await vi.advanceTimersByTimeAsync(1)
  repeat.want()
  await vi.advanceTimersByTimeAsync(5_000)
  expect(about(times)).toEqual([0, 1_500])
})

test('the earliest of several wishes counts', async () => {
  const { repeat, times } = counting()
  repeat.want(5_000)
  repeat.want(50)
  repeat.want(900)
  await vi.advanceTimersByTimeAsync(10_000)
  expect(about(times)).toEqual([50])
})

test('what failed is tried again, less and less often, until it works', async () => {
  const found = counting()
  found.isFailing = true
  found.repeat.want()
  await vi.advanceTimersByTimeAsync(3_500)
  expect(about(found.times)).toEqual([0, 1_000, 3_000])
  found.isFailing = false
  await vi.advanceTimersByTimeAsync(60_000)
  expect(about(found.times)).toEqual([0, 1_000, 3_000, 7_000])
  expect(found.errors.map((error) => error === null)).toEqual([false, false, false, true])
})

test('wishes can be taken back', async () => {
  const { repeat, times } = counting()
  repeat.want(50)
  repeat.cancel()
  await vi.advanceTimersByTimeAsync(10_000)
  expect(times).toEqual([])
})
