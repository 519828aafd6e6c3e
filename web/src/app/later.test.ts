// What is loaded in a quiet moment, and when.
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { loadInQuiet } from './later'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

test('everything is loaded once charts can be drawn, one that fails does not stop the others', async () => {
  const loads = [vi.fn(() => Promise.reject(new Error('away'))), vi.fn(() => Promise.resolve())]
  let answer: () => void = () => undefined
  loadInQuiet(
    new Promise((resolve) => {
      answer = resolve
    }),
    loads,
  )
  await vi.advanceTimersByTimeAsync(1_000)
  expect(loads.map((load) => load.mock.calls.length)).toEqual([0, 0])
  answer()
  await vi.advanceTimersByTimeAsync(500)
  expect(loads.map((load) => load.mock.calls.length)).toEqual([1, 1])
  await vi.advanceTimersByTimeAsync(10_000)
  expect(loads.map((load) => load.mock.calls.length)).toEqual([1, 1])
})

test('a board without charts does not wait for them', async () => {
  const load = vi.fn(() => Promise.resolve())
  loadInQuiet(new Promise(() => undefined), [load])
  await vi.advanceTimersByTimeAsync(10_000)
  expect(load).toHaveBeenCalledTimes(1)
})
