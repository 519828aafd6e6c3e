// Videos of different lengths on one clock.
import { expect, test } from 'vitest'
import { frameAt, startsOf } from '../../media/film'
import { Clock, type Reel } from './clock.svelte'

function reelOf(delays: readonly number[]): Reel {
  const starts = startsOf(delays)
  return {
    title: 'run',
    colour: '#000000',
    seconds: starts.at(-1) ?? 0,
    frames: delays.length,
    frameAt: (seconds) => frameAt(starts, seconds),
    startOf: (frame) => starts[frame] ?? 0,
  }
}

function clockOf(...films: readonly (readonly number[])[]): Clock {
  const clock = new Clock()
  films.forEach((delays, at) => clock.add(String(at), reelOf(delays)))
  return clock
}

test('the clock runs to the end of the longest, and begins again', () => {
  const clock = clockOf([100, 100], [100, 100, 200])
  expect(clock.seconds).toBeCloseTo(0.4)
  clock.toggle()
  clock.tick(0.25)
  expect([clock.time, clock.isPlaying]).toEqual([0.25, true])
  clock.tick(0.25)
  expect(clock.time).toBeCloseTo(0.1)
  clock.isLooping = false
  clock.tick(1)
  expect([clock.time, clock.isPlaying]).toEqual([0.4, false])
  clock.toggle()
  expect(clock.time).toBe(0)
})

test('frames are those of the video pointed at', () => {
  const clock = clockOf([100, 100, 100], [50, 50, 50, 50])
  clock.step(1)
  expect(clock.time).toBeCloseTo(0.1)
  clock.chosen = '1'
  clock.step(1)
  expect(clock.time).toBeCloseTo(0.15)
  clock.step(-10)
  expect(clock.time).toBeCloseTo(0)
  clock.step(10)
  expect(clock.current?.[1].frameAt(clock.time)).toBe(3)
})

test('the speed stays within what is offered', () => {
  const clock = clockOf([1000])
  clock.toggle()
  for (let at = 0; at < 9; at++) clock.shift(1)
  expect(clock.speed).toBe(4)
  clock.tick(0.1)
  expect(clock.time).toBeCloseTo(0.4)
  for (let at = 0; at < 9; at++) clock.shift(-1)
  expect(clock.speed).toBe(0.25)
})

test('without a video nothing plays', () => {
  const clock = clockOf()
  clock.toggle()
  clock.step(1)
  expect([clock.isPlaying, clock.time, clock.current]).toEqual([false, 0, null])
  const remove = clock.add('a', reelOf([100]))
  clock.toggle()
  remove()
  expect(clock.isPlaying).toBe(false)
})
