// The page knows every run, asks only for those that changed, and shows together what belongs together.
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Run } from '../api/types'
import { Board } from './board.svelte'
import { Curation } from './curation.svelte'
import { FakeServer } from './fake-server'
import { Runs } from './runs.svelte'

async function open(server: FakeServer): Promise<Runs> {
  const board = new Board(server.client)
  const curation = new Curation(server.client, board)
  const runs = new Runs(server.client, board, curation)
  board.resume()
  runs.load()
  curation.load()
  await settle()
  await server.hello()
  await settle()
  return runs
}

function settle(millis = 1_000): Promise<unknown> {
  return vi.advanceTimersByTimeAsync(millis)
}

function serving(...names: string[]): FakeServer {
  const server = new FakeServer()
  for (const name of names) server.add(name, { loss: 1 })
  return server
}

function names(runs: readonly { name: string }[]): string[] {
  return runs.map(({ name }) => name)
}

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

test('all runs are known, in natural order', async () => {
  const runs = await open(serving('a10', 'b', 'a2'))
  expect(names(runs.all)).toEqual(['a2', 'a10', 'b'])
  expect([runs.isLoading, runs.byName.get('a10')?.name]).toEqual([false, 'a10'])
})

test('a greeting before the first answer costs no second question', async () => {
  const server = serving('a')
  const board = new Board(server.client)
  const runs = new Runs(server.client, board, new Curation(server.client, board))
  server.instead.set('runs', async () => {
    await new Promise((resolve) => setTimeout(resolve, 200))
    return undefined
  })
  board.resume()
  runs.load()
  await settle(100)
  await server.hello()
  await settle()
  expect([names(runs.all), server.count('runs')]).toEqual([['a'], 1])
})

test('thousands of runs come in pages', async () => {
  const server = serving()
  for (let n = 0; n < 12_000; n++) server.add(`run${String(n)}`)
  const runs = await open(server)
  expect(runs.all).toHaveLength(12_000)
  expect(server.asked.filter((asked) => asked.startsWith('runs'))).toEqual([
    'runs?limit=5000',
    'runs?limit=5000&after=5000',
    'runs?limit=5000&after=10000',
  ])
  expect(names(runs.all.slice(9, 12))).toEqual(['run9', 'run10', 'run11'])
})

test('a new run is put into its place with one small question, and the others stay the same objects', async () => {
  const server = serving('a', 'c')
  const runs = await open(server)
  const before = [...runs.entries]
  server.add('b')
  await server.changed(['b'], { tags: ['b'] })
  await settle()
  expect(names(runs.entries)).toEqual(['a', 'b', 'c'])
  expect([runs.entries[0], runs.entries[2]]).toEqual(before)
  expect(runs.entries[0]).toBe(before[0])
  expect(runs.entries[2]).toBe(before[1])
  expect(server.asked.filter((asked) => asked.startsWith('runs')).slice(1)).toEqual([
    'runs?sort=change&order=desc&limit=500',
  ])
})

test('that runs grow is shown every other second', async () => {
  const server = serving('a', 'b')
  const runs = await open(server)
  const seen = new Set([runs.all])
  for (let n = 0; n < 100; n++) {
    server.log('a', 'loss', 1)
    await server.changed(['a'])
    await settle(100)
    seen.add(runs.all)
  }
  expect(seen.size).toBeGreaterThanOrEqual(4)
  expect(seen.size).toBeLessThanOrEqual(7)
  await settle(3_000)
  expect(runs.byName.get('a')?.run.points).toBe(101)
})

test('runs that went are left out, named or not', async () => {
  const server = serving('a', 'b', 'c', 'd')
  const runs = await open(server)
  server.remove('b')
  await server.changed([], { removed: ['b'] })
  expect(names(runs.all)).toEqual(['a', 'c', 'd'])
  server.remove('c')
  server.log('a', 'loss', 1)
  await server.changed([], { all: true })
  await settle()
  expect(names(runs.all)).toEqual(['a', 'd'])
  server.add('b')
  await server.changed(['b'])
  await settle()
  expect(names(runs.all)).toEqual(['a', 'b', 'd'])
})

test('what another server has replaces what was there, whatever its numbers', async () => {
  const server = serving('a', 'b')
  const runs = await open(server)
  server.remove('b')
  server.restart('j')
  server.runs.set('a', { ...(server.runs.get('a') as Run), points: 77, change: 1 })
  let release = (): void => undefined
  const answered = new Promise<void>((resolve) => {
    release = resolve
  })
  server.instead.set('runs', async () => {
    await answered
    return undefined
  })
  await server.send('reset', { instance: 'j' })
  await server.hello()
  await settle()
  expect(names(runs.all)).toEqual(['a', 'b'])
  release()
  await settle()
  expect(runs.all.map(({ name, points }) => [name, points])).toEqual([['a', 77]])
})

test('runs that add_scalars and add_hparams made are parts of their run, if it is there', async () => {
  const server = serving('a', 'b')
  const folded = (into: string, label: string): Partial<Run> => ({
    folded: { into, kind: 'scalars', label, tag: 'loss' },
  })
  server.add('a/loss_train', {}, folded('a', 'train'))
  server.add('a/loss_val', {}, folded('a', 'val'))
  server.add('a/1', {}, { folded: { into: 'a', kind: 'hparams', label: '1', tag: null } })
  server.add('gone/loss_val', {}, folded('gone', 'val'))
  const runs = await open(server)
  expect(names(runs.entries)).toEqual(['a', 'b', 'gone/loss_val'])
  expect(runs.entries[0]?.parts.map(({ run, kind, label, tag }) => [run.name, kind, label, tag])).toEqual([
    ['a/1', 'hparams', '1', null],
    ['a/loss_train', 'scalars', 'train', 'loss'],
    ['a/loss_val', 'scalars', 'val', 'loss'],
  ])
})

test('runs in the trash are in a list of their own', async () => {
  const server = serving('a', 'b')
  server.curation.runs = [{ name: 'b', trashed: true }]
  const runs = await open(server)
  expect([names(runs.entries), names(runs.trashed)]).toEqual([['a'], ['b']])
  expect(runs.byName.has('b')).toBe(false)
})

test('a run that is removed while an answer with it is on its way does not come back', async () => {
  const server = serving('a', 'b')
  const runs = await open(server)
  let isSlow = true
  server.instead.set('runs', async () => {
    if (!isSlow) return undefined
    isSlow = false
    const answer = Response.json({
      change: server.change,
      total: server.runs.size,
      matched: server.runs.size,
      next: null,
      runs: [...server.runs.values()],
    })
    await new Promise((resolve) => setTimeout(resolve, 1_000))
    return answer
  })
  server.add('c', { loss: 1 })
  await server.changed(['c'], { tags: ['c'] })
  await settle(500)
  server.remove('c')
  await server.changed([], { removed: ['c'] })
  await settle(10_000)
  expect(names(runs.all)).toEqual(['a', 'b'])
})
