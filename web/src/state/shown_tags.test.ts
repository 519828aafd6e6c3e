// Cards without a line go, and come back at once when their runs are shown, whatever answer is still on its way.
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Client } from '../api/client'
import { FakeServer } from './fake-server'
import { Board } from './board.svelte'
import type { Entry } from './runs.svelte'
import { ShownTags } from './shown_tags.svelte'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

const [A, B, C] = ['a', 'b', 'c'].map((name) => ({ name, parts: [] }) as unknown as Entry) as [Entry, Entry, Entry]
const TAGS: Readonly<Record<string, string>> = { a: 'loss', b: 'acc', c: 'lr' }
const ANSWER_MILLIS = 1_000

function open(tagRuns = 1): { shownTags: ShownTags; show: (...entries: Entry[]) => void; asked: () => number } {
  const selection = { shown: [] as readonly Entry[] }
  let asked = 0
  const server = new FakeServer()
  const client = {
    tags: async ({ runs = [] }: { runs?: readonly string[] }) => {
      asked++
      await new Promise((resolve) => setTimeout(resolve, ANSWER_MILLIS))
      return { change: 1, next: null, tags: runs.map((run) => ({ tag: TAGS[run] ?? '' })) }
    },
  } as unknown as Client
  const shownTags = new ShownTags(
    client,
    new Board(server.client),
    { entries: [A, B, C], all: [A, B, C] } as never,
    selection as never,
  )
  const show = (...entries: Entry[]): void => {
    selection.shown = entries
    shownTags.follow({ all: Object.values(TAGS).map((tag) => ({ tag, runs: tagRuns })) } as never)
  }
  return { shownTags, show, asked: () => asked }
}

test('the tags of the shown runs are known', async () => {
  const { shownTags, show } = open()
  show(A, B)
  await vi.advanceTimersByTimeAsync(5_000)
  expect([...(shownTags.all ?? [])]).toEqual(['loss', 'acc'])
})

test('an answer about fewer runs does not hide cards after all runs are shown', async () => {
  const { shownTags, show } = open()
  show(A)
  await vi.advanceTimersByTimeAsync(ANSWER_MILLIS / 2)
  show(A, B, C)
  await vi.advanceTimersByTimeAsync(10_000)
  expect(shownTags.all).toBeNull()
})

test('an answer about other runs is not taken for that about these', async () => {
  const { shownTags, show } = open()
  show(A)
  await vi.advanceTimersByTimeAsync(ANSWER_MILLIS / 2)
  show(B)
  await vi.advanceTimersByTimeAsync(ANSWER_MILLIS)
  expect(shownTags.all).toBeNull()
  await vi.advanceTimersByTimeAsync(10_000)
  expect([...(shownTags.all ?? [])]).toEqual(['acc'])
})

test('nothing is asked when each run has every tag, unless none is shown', async () => {
  const { shownTags, show, asked } = open(3)
  show(A)
  await vi.advanceTimersByTimeAsync(5_000)
  expect(asked()).toBe(0)
  expect(shownTags.all).toBeNull()
  show()
  await vi.advanceTimersByTimeAsync(5_000)
  expect(shownTags.all).toEqual(new Set())
})
