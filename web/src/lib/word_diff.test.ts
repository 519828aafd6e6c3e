import { describe, expect, it } from 'vitest'
import { wordDiff } from './word_diff'

const without = (before: string, after: string, kind: 'removed' | 'added'): string =>
  (wordDiff(before, after) ?? []).flatMap((part) => (part.kind === kind ? [] : [part.text])).join('')

describe('differences of words', () => {
  it('names what was removed and what was added', () => {
    expect(wordDiff('the boat left before dawn', 'the boat left the the dawn')).toEqual([
      { kind: 'same', text: 'the boat left ' },
      { kind: 'removed', text: 'before' },
      { kind: 'added', text: 'the the' },
      { kind: 'same', text: ' dawn' },
    ])
  })

  it.each([
    ['', ''],
    ['', 'new'],
    ['old', ''],
    ['same words', 'same words'],
    ['a b c d e f', 'c d a b f e'],
    ['one\ntwo\nthree', 'one\n2\nthree\nfour'],
    ['x, y; z', 'x y z!'],
    ['naïve café', 'naive café'],
  ])('gives back both texts: %j and %j', (before, after) => {
    expect(without(before, after, 'added')).toBe(before)
    expect(without(before, after, 'removed')).toBe(after)
  })

  it('gives up on what is too long or has nothing in common', () => {
    const many = (word: string): string => Array.from({ length: 600 }, (_, at) => `${word}${String(at)}`).join(' ')
    expect(wordDiff(many('a'), many('b'))).toBeNull()
    expect(wordDiff('a '.repeat(20_000), 'b')).toBeNull()
  })
})
