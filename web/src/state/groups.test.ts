// Checks which runs are listed together.
import { describe, expect, test } from 'vitest'
import { folder, grouped, stem, withoutSeed, type Order } from './groups.svelte'
import type { HParam } from './hparams.svelte'
import type { Entry } from './runs.svelte'
import type { GroupBy } from './facts/core'

function entry(name: string): Entry {
  return { name, run: { name } as Entry['run'], parts: [] }
}

type Params = Readonly<Record<string, Readonly<Record<string, HParam>>>>

/** Names of the groups, with those of their members. */
function listed(names: readonly string[], by: GroupBy, params: Params = {}, order: Order = null): [string, string[]][] {
  const hparamsOf = (run: string): ReadonlyMap<string, HParam> => new Map(Object.entries(params[run] ?? {}))
  return grouped(names.map(entry), by, hparamsOf, order).map((group) => [
    group.name,
    group.entries.map(({ name }) => name),
  ])
}

test('without grouping there is one group without a name', () => {
  expect(listed(['b', 'a/c'], { kind: 'none' })).toEqual([['', ['b', 'a/c']]])
})

test('folders are groups, those without one too', () => {
  expect(listed(['a10/x', 'a2/x', 'a2/y', 'top'], { kind: 'folder' })).toEqual([
    ['a2', ['a2/x', 'a2/y']],
    ['a10', ['a10/x']],
    ['1 run without a folder', ['top']],
  ])
  expect(listed(['b', 'c'], { kind: 'folder' })).toEqual([['', ['b', 'c']]])
  expect(folder('a/b/c')).toBe('a/b')
})

describe('seeds', () => {
  test.each([
    ['ppo-seed3', 'ppo'],
    ['ppo/seed-3', 'ppo'],
    ['ppo_seed=12', 'ppo'],
    ['ppo_s3', 'ppo'],
    ['ppo/3', 'ppo'],
    ['ppo.seed_3/train', 'ppo/train'],
    ['seed-3', 'seed'],
    ['ppo', null],
    ['gpt3', null],
    ['s3', null],
    ['birdseed3', null],
    ['lr-0.1', null],
  ])('%s without its seed is %s', (name, rest) => {
    expect(withoutSeed(name)).toBe(rest)
  })

  test('runs that differ in the seed only fold together, the others come last', () => {
    expect(listed(['a-seed0', 'a-seed1', 'b_s1', 'other', 'more'], { kind: 'seed' })).toEqual([
      ['a', ['a-seed0', 'a-seed1']],
      ['b', ['b_s1']],
      ['2 runs without a seed', ['other', 'more']],
    ])
  })

  test('the seed may be a hyper-parameter', () => {
    const params = {
      'x/wren-1': { seed: 1, lr: 0.1 },
      'x/wren-2': { seed: 2, lr: 0.1 },
      'x/wren-3': { seed: 1, lr: 0.2 },
    }
    expect(listed(['x/wren-1', 'x/wren-2', 'x/wren-3'], { kind: 'seed' }, params)).toEqual([
      ['x/wren', ['x/wren-1', 'x/wren-2']],
      ['1 run without a seed', ['x/wren-3']],
    ])
  })

  test('runs with other names are no repeats, though only their seeds differ', () => {
    const params = { 'gpt/medium': { seed: 1 }, 'gpt/medium-long': { seed: 2 }, 'gpt/medium-2': { seed: 3 } }
    expect(listed(['gpt/medium', 'gpt/medium-long', 'gpt/medium-2'], { kind: 'seed' }, params)).toEqual([
      ['gpt/medium', ['gpt/medium', 'gpt/medium-2']],
      ['1 run without a seed', ['gpt/medium-long']],
    ])
  })

  test.each([
    ['ppo', 'ppo'],
    ['ppo-3', 'ppo'],
    ['ppo/run2', 'ppo'],
    ['ppo_r-2', 'ppo'],
    ['ppo/trial_7', 'ppo'],
    ['ppo-3f9a2bc', 'ppo'],
    ['ppo-decade', 'ppo-decade'],
    ['ppo_2026-11-16_12-30-00', 'ppo'],
    ['ppo_20261116T123000', 'ppo'],
    ['Nov16_12-30-00_host', '_host'],
    ['ppo-long', 'ppo-long'],
    ['gpt3', 'gpt3'],
    ['3', ''],
  ])('repeats of %s are called %s', (name, rest) => {
    expect(stem(name)).toBe(rest)
  })
})

describe('regular expressions', () => {
  test('what is captured names the group', () => {
    expect(listed(['sgd-1', 'adam-1', 'adam-2', 'other'], { kind: 'regex', pattern: '^(sgd|adam)-\\d' })).toEqual([
      ['adam', ['adam-1', 'adam-2']],
      ['sgd', ['sgd-1']],
      ['1 run not matching', ['other']],
    ])
  })

  test('without a capture group there is one group', () => {
    expect(listed(['sgd-1', 'adam-1'], { kind: 'regex', pattern: 'adam' })).toEqual([
      ['adam', ['adam-1']],
      ['1 run not matching', ['sgd-1']],
    ])
  })

  test('an expression that is not valid matches nothing', () => {
    expect(listed(['a'], { kind: 'regex', pattern: '(' })[0]?.[1]).toEqual(['a'])
  })

  test('a pattern that RegExp would take years for is answered', () => {
    expect(listed([`${'a'.repeat(200)}!`, 'aa'], { kind: 'regex', pattern: '^(a+)+$' })).toEqual([
      ['aa', ['aa']],
      ['1 run not matching', [`${'a'.repeat(200)}!`]],
    ])
  })
})

test('values of a hyper-parameter are groups in natural order', () => {
  const params = { a: { layers: 12 }, b: { layers: 2 }, c: { layers: 12 } }
  expect(listed(['a', 'b', 'c', 'd'], { kind: 'hparam', name: 'layers' }, params)).toEqual([
    ['layers 2', ['b']],
    ['layers 12', ['a', 'c']],
    ['1 run without layers', ['d']],
  ])
})

test('the group with the first run comes first when runs are sorted', () => {
  const loss: Readonly<Record<string, number>> = { 'a/1': 3, 'a/2': 2, 'b/1': 4, 'b/2': 1 }
  const order = (a: string, b: string): number => (loss[a] ?? 0) - (loss[b] ?? 0)
  expect(listed(['a/1', 'a/2', 'b/1', 'b/2'], { kind: 'folder' }, {}, order)).toEqual([
    ['b', ['b/2', 'b/1']],
    ['a', ['a/2', 'a/1']],
  ])
})
