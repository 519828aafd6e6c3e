// What is seen is there at once, what is near comes when its turn comes, and what went away in the meantime does not come.
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { Nearness } from './near'

let observe: (entries: readonly object[]) => void = () => undefined
let turns: (() => void)[] = []

beforeEach(() => {
  turns = []
  vi.stubGlobal('requestAnimationFrame', (turn: () => void) => turns.push(turn))
  vi.stubGlobal(
    'IntersectionObserver',
    class {
      constructor(callback: (entries: readonly object[]) => void) {
        observe = callback
      }
      observe(): void {
        /* The test sets what is where. */
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

function watched(): { element: Element; reports: [boolean, number][]; end: () => void } {
  const element = {} as Element // only distinguished from others
  const reports: [boolean, number][] = []
  return { element, reports, end: new Nearness(null).watch(element, (...what) => reports.push(what)) }
}

test('what is visible is reported at once', () => {
  const { element, reports } = watched()
  observe([place(element, 990)])
  expect(reports).toEqual([[true, 250]])
})

test('what is near is reported in a frame', () => {
  const { element, reports } = watched()
  observe([place(element, 1_010)])
  expect(reports).toEqual([])
  nextFrame()
  expect(reports).toEqual([[true, 250]])
})

test('the last report counts', () => {
  const { element, reports } = watched()
  observe([place(element, 990)])
  observe([place(element, 2_000), place(element, 1_010)])
  nextFrame()
  expect(reports).toEqual([[true, 250]])
  observe([place(element, 2_000)])
  nextFrame()
  expect(reports).toEqual([
    [true, 250],
    [false, 250],
  ])
})

test('nothing is reported about what comes and goes before its turn, nor about what was far from the start', () => {
  const { element, reports } = watched()
  observe([place(element, 2_000)])
  observe([place(element, 1_010), place(element, 2_000)])
  nextFrame()
  expect(reports).toEqual([])
})

test('nothing is reported about what is gone', () => {
  const { element, reports, end } = watched()
  observe([place(element, -300)])
  end()
  nextFrame()
  expect(reports).toEqual([])
})
