// Frames by time, and a bounded number of them in memory.
import { expect, test } from 'vitest'
import { Film, frameAt, startsOf, type Picture } from './film'

test('the frame of a moment is the one whose delay has not passed', () => {
  const starts = startsOf([100, 200, 50])
  expect(starts).toEqual([0, 0.1, 0.3, 0.35])
  expect([0, 0.099, 0.1, 0.29, 0.3, 0.35, 99].map((time) => frameAt(starts, time))).toEqual([0, 0, 1, 1, 2, 2, 2])
  expect(frameAt(startsOf([]), 1)).toBe(0)
})

class FakeFrame implements Picture {
  isClosed = false
  constructor(readonly index: number) {}
  close(): void {
    this.isClosed = true
  }
}

function filmOf(count: number, side: number): { film: Film<FakeFrame>; asked: number[][]; made: FakeFrame[] } {
  const asked: number[][] = []
  const made: FakeFrame[] = []
  const film = new Film<FakeFrame>({ width: side, height: side, count }, (first, wanted) => {
    asked.push([first, wanted])
    const frames = Array.from({ length: wanted }, (_, at) => new FakeFrame(first + at))
    made.push(...frames)
    return Promise.resolve(frames)
  })
  return { film, asked, made }
}

test('frames come in batches, and the next batch early', async () => {
  const { film, asked } = filmOf(100, 10)
  await film.want(3)
  expect(film.get(3)?.index).toBe(3)
  expect(asked).toEqual([
    [0, 64],
    [64, 36],
  ])
  await film.want(5)
  expect(asked.length).toBe(2)
})

test('a long film keeps some frames only, those that come next', async () => {
  const { film, made } = filmOf(100, 1000)
  for (let at = 0; at < 100; at++) await film.want(at)
  await Promise.resolve()
  expect(film.get(99)?.index).toBe(99)
  expect(made.filter(({ isClosed }) => !isClosed).length).toBeLessThanOrEqual(20)
  film.close()
  expect(made.every(({ isClosed }) => isClosed)).toBe(true)
})
