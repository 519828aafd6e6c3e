// What is seen is there at once, what is near comes when its turn comes, and what went away in the meantime does not come.
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { Nearness } from './near'

let hear: (entries: readonly object[]) => void = () => undefined
let turns: (() => void)[] = []

beforeEach(() => {
  turns = []
  vi.stubGlobal('requestAnimationFrame', (turn: () => void) => turns.push(turn))
  vi.stubGlobal(
    'IntersectionObserver',
    class {
      constructor(callback: (entries: readonly object[]) => void) {
        hear = callback
      }
      observe(): void {
        /* The test tells what is where. */
      }
      unobserve(): void {
        /* As above. */
      }
    },
  )
})

afterEach(() => {
  vi.unstubAllGlobals()
})

/** What scrolls is 1000 pixels high, and 300 more count on each side. */
function place(target: Element, top: number): object {
  const isIntersecting = top + 250 > -300 && top < 1300
  return {
    target,
    isIntersecting,
    boundingClientRect: { top, bottom: top + 250, height: 250 },
    rootBounds: { top: -300, bottom: 1300, height: 1600 },
  }
}

function nextFrame(): void {
  for (const turn of turns.splice(0)) turn()
}

function watched(): { element: Element; told: [boolean, number][]; end: () => void } {
  const element = {} as Element // only told apart from others
  const told: [boolean, number][] = []
  return { element, told, end: new Nearness(null).watch(element, (...what) => told.push(what)) }
}

test('what is seen is told at once', () => {
  const { element, told } = watched()
  hear([place(element, 990)])
  expect(told).toEqual([[true, 250]])
})

test('what is near is told in a frame', () => {
  const { element, told } = watched()
  hear([place(element, 1_010)])
  expect(told).toEqual([])
  nextFrame()
  expect(told).toEqual([[true, 250]])
})

test('what is told last counts', () => {
  const { element, told } = watched()
  hear([place(element, 990)])
  hear([place(element, 2_000), place(element, 1_010)])
  nextFrame()
  expect(told).toEqual([[true, 250]])
  hear([place(element, 2_000)])
  nextFrame()
  expect(told).toEqual([
    [true, 250],
    [false, 250],
  ])
})

test('nothing is told of what comes and goes before its turn, nor of what was far from the start', () => {
  const { element, told } = watched()
  hear([place(element, 2_000)])
  hear([place(element, 1_010), place(element, 2_000)])
  nextFrame()
  expect(told).toEqual([])
})

test('nothing is told of what is gone', () => {
  const { element, told, end } = watched()
  hear([place(element, -300)])
  end()
  nextFrame()
  expect(told).toEqual([])
})
