// The rate of reading, reported once there is enough data to compute it.
import { expect, test } from 'vitest'
import { Rate } from './rate'

test('is not reported from one number', () => {
  expect(new Rate().after({ bytes_done: 100, bytes_known: 1000 }, 0)).toBeNull()
})

test('is that of the last seconds', () => {
  const rate = new Rate()
  rate.after({ bytes_done: 0, bytes_known: 40_000 }, 0)
  expect(rate.after({ bytes_done: 1_000, bytes_known: 40_000 }, 1_000)).toEqual({
    bytesPerSecond: 1_000,
    secondsLeft: 39,
  })
  rate.after({ bytes_done: 10_000, bytes_known: 40_000 }, 6_500)
  expect(rate.after({ bytes_done: 20_000, bytes_known: 40_000 }, 8_500)).toEqual({
    bytesPerSecond: 5_000,
    secondsLeft: 4,
  })
})

test('starts again if there is less than before', () => {
  const rate = new Rate()
  rate.after({ bytes_done: 1_000, bytes_known: 1_000 }, 0)
  expect(rate.after({ bytes_done: 10, bytes_known: 1_000 }, 2_000)).toBeNull()
  expect(rate.after({ bytes_done: 20, bytes_known: 1_000 }, 3_000)?.bytesPerSecond).toBe(10)
})
