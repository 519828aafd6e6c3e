import { describe, expect, it } from 'vitest'
import { commitOf, nearestRun, unfenced } from './run_facts'

const params = (values: Readonly<Record<string, number | string | boolean>>) => new Map(Object.entries(values))

describe('the run that is most like another', () => {
  const all = new Map([
    ['own', params({ lr: 1e-3, steps: 48_000, seed: 1, clip: 1 })],
    ['far', params({ lr: 3e-4, steps: 40_000, seed: 1 })],
    ['near', params({ lr: 1e-3, steps: 40_000, seed: 1, clip: 1 })],
    ['empty', params({})],
  ])

  it('differs in the fewest hyper-parameters', () => {
    expect(nearestRun('own', all)).toEqual({
      run: 'near',
      total: 4,
      differences: [{ name: 'steps', other: 40_000, own: 48_000 }],
      same: [
        ['lr', 1e-3],
        ['seed', 1],
        ['clip', 1],
      ],
    })
  })

  it('says what one of them lacks', () => {
    expect(nearestRun('far', all)?.differences).toEqual([
      { name: 'lr', other: 1e-3, own: 3e-4 },
      { name: 'clip', other: 1, own: undefined },
    ])
  })

  it('is none without hyper-parameters, or alone', () => {
    expect(nearestRun('empty', all)).toBeNull()
    expect(nearestRun('gone', all)).toBeNull()
    expect(nearestRun('own', new Map([['own', params({ lr: 1 })]]))).toBeNull()
  })
})

describe('captured texts', () => {
  it('have their commit', () => {
    const text = '```\ncommit: a41f9c2d\nbranch: main\nstate: 2 files changed\n```'
    expect(commitOf(text)).toEqual({ commit: 'a41f9c2d', branch: 'main', state: '2 files changed' })
    expect(commitOf('nothing of the kind')).toBeNull()
  })

  it('are read without their fence', () => {
    expect(unfenced('````\none\n```\ntwo\n````')).toEqual(['one', '```', 'two'])
    expect(unfenced('plain\ntext')).toEqual(['plain', 'text'])
  })
})
