// Checks the small lines of lists and tables.
import { expect, test } from 'vitest'
import type { LineRequest, Loaded, LoadedLine } from './lines.svelte'
import { Sparks } from './sparks.svelte'

function line(run: string, tag: string, x: readonly number[]): LoadedLine {
  const values = Float64Array.from(x)
  return { run, tag, data: { kind: 'points', x: values, y: values, smoothed: null } } as unknown as LoadedLine
}

function made() {
  let listener: (loaded: Loaded) => void = () => undefined
  const requests: (readonly LineRequest[])[] = []
  const watch = {
    ask: (asked: readonly LineRequest[]) => requests.push(asked),
    setVisible: () => undefined,
    stop: () => undefined,
  }
  const lines = {
    watch: (given: (loaded: Loaded) => void) => {
      listener = given
      return watch
    },
  }
  const sparks = new Sparks(lines, { width: 40, height: 10 }, () => 'ema:0.6')
  const answer = (...all: LoadedLine[]): void => {
    listener({ lines: all } as unknown as Loaded)
  }
  return { sparks, requests, answer }
}

test('as many columns as it is wide are requested, with the smoothing of its list', () => {
  const { sparks, requests } = made()
  sparks.show(['loss', 'acc'], ['a', 'b'])
  expect(requests[0]?.map(({ source, runs, columns, smoothing }) => [source, runs, columns, smoothing])).toEqual([
    [{ tag: 'loss' }, ['a', 'b'], 40, 'ema:0.6'],
    [{ tag: 'acc' }, ['a', 'b'], 40, 'ema:0.6'],
  ])
})

test('runs of a tag share their x axis, which never becomes shorter; tags have their own', () => {
  const { sparks, answer } = made()
  const [short, long, other] = [line('a', 'loss', [0, 50]), line('b', 'loss', [0, 100]), line('a', 'acc', [0, 10])]
  answer(short, long, other)
  expect(sparks.of('a', 'loss')?.end?.[0]).toBeCloseTo(20, -1)
  expect(sparks.of('b', 'loss')?.end?.[0]).toBeCloseTo(40, -1)
  expect(sparks.of('a', 'acc')?.end?.[0]).toBeCloseTo(40, -1)
  expect(sparks.of('b', 'acc')).toBeNull()
  const before = sparks.of('a', 'loss')
  // The longer run is scrolled away: what stays is not drawn again.
  answer(short)
  expect(sparks.of('a', 'loss')).toBe(before)
  answer(short, line('c', 'loss', [0, 200]))
  expect(sparks.of('a', 'loss')?.end?.[0]).toBeCloseTo(10, -1)
})
