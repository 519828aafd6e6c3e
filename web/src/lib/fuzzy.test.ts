// Names found by what people type.
import { describe, expect, test } from 'vitest'
import { best, find } from './fuzzy'

const RUNS = ['aug/cutmix-1.0', 'aug/mixup-0.2', 'aug/mixup-0.4', 'lr/adamw-1e-3', 'lr/sgd-1e-1']

function names(query: string): string[] {
  return best(query, RUNS, (run) => run, 10).map(({ item }) => item)
}

describe('a search', () => {
  test('prefers the starts of words', () => {
    expect(names('mix')).toEqual(['aug/mixup-0.2', 'aug/mixup-0.4', 'aug/cutmix-1.0'])
  })

  test('wants all words, in any order', () => {
    expect(names('0.4 mix')).toEqual(['aug/mixup-0.4'])
    expect(names('mix adam')).toEqual([])
  })

  test('finds letters that are left out', () => {
    expect(names('admw')).toEqual(['lr/adamw-1e-3'])
    expect(names('mxup')).toEqual(['aug/mixup-0.2', 'aug/mixup-0.4'])
  })

  test('does not find letters strewn about', () => {
    expect(names('ag1')).toEqual([])
  })

  test('finds everything for nothing, in order', () => {
    expect(names('')).toEqual(RUNS)
  })

  test('returns which letters match, as pieces that do not touch', () => {
    expect(find('mix', 'aug/cutmix')?.ranges).toEqual([[7, 10]])
    expect(find('cut mix', 'aug/cutmix')?.ranges).toEqual([[4, 10]])
  })
})
