// Differences between two texts, by line and by word.
import { expect, test } from 'vitest'
import { diffTexts, folded, type DiffRow } from './diff'

/** `2-a [brown] dog`: changed pieces in brackets. */
function written({ kind, line, pieces }: DiffRow): string {
  const mark = { same: ' ', removed: '-', added: '+' }[kind]
  return `${String(line)}${mark}${pieces.map(({ text, isChanged }) => (isChanged ? `[${text}]` : text)).join('')}`
}

const diff = (before: string, after: string): string[] => diffTexts(before, after).rows.map(written)

test('changed lines show their changed words', () => {
  const before = 'prompt: a photo of\na brown dog sit on the grass\nin front of a fence'
  const after = 'prompt: a photo of\na small tan dog sitting in the grass\nin front of a fence\nwith a lighthouse'
  expect(diff(before, after)).toEqual([
    '1 prompt: a photo of',
    '2-a [brown] dog [sit on] the grass',
    '2+a [small tan] dog [sitting in] the grass',
    '3 in front of a fence',
    '4+[with a lighthouse]',
  ])
  expect(diffTexts(before, after)).toMatchObject({ added: 7, removed: 3, isCoarse: false })
})

test.each([
  ['', '', []],
  ['a', 'a', ['1 a']],
  ['', 'a b', ['1+[a b]']],
  ['a b', '', ['1-[a b]']],
  ['a\r\nb', 'a\nb', ['1 a', '2 b']],
  ['a\n', 'a', ['1 a', '2-[]']],
  ['x = 1.5', 'x = 1.6', ['1-x = 1.[5]', '1+x = 1.[6]']],
  ['a\nb\nc', 'a\nX\nY\nc', ['1 a', '2-[b]', '2+[X]', '3+[Y]', '4 c']],
  ['東京の天気', '東京は天気', ['1-東京[の]天気', '1+東京[は]天気']],
])('%j and %j', (before, after, rows) => {
  expect(diff(before, after)).toEqual(rows)
})

test('putting the rows of one kind together gives the texts back', () => {
  let state = 5
  const roll = (below: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
  const word = (): string => ['a', 'b', 'cc', '', '1', ',', '  ', '\n', '\n', 'ä'][roll(10)] ?? ''
  for (let n = 0; n < 200; n++) {
    const [before, after] = [0, 1].map(() => Array.from({ length: roll(30) }, word).join(' ')) as [string, string]
    const { rows } = diffTexts(before, after)
    const joined = (kind: string): string =>
      rows
        .filter((row) => row.kind === 'same' || row.kind === kind)
        .map(({ pieces }) => pieces.map(({ text }) => text).join(''))
        .join('\n')
    expect([joined('removed'), joined('added')]).toEqual([before, after])
  }
})

test('texts with too little in common are compared as wholes, and say so', () => {
  const lines = (mark: string): string => Array.from({ length: 3_000 }, (_, at) => `${mark}${String(at)} x`).join('\n')
  const found = diffTexts(`same\n${lines('a')}\nend`, `same\n${lines('b')}\nend`)
  expect(found).toMatchObject({ isCoarse: true, added: 6_000, removed: 6_000 })
  expect(found.rows).toHaveLength(6_002)
  expect(found.rows.map(written).at(-1)).toBe('3002 end')
})

test('one long line is compared as well, however much it differs', () => {
  const found = diffTexts('x '.repeat(300_000), 'y '.repeat(300_000))
  expect(found).toMatchObject({ isCoarse: true, added: 300_000, removed: 300_000 })
})

test('unchanged lines far from a change are folded until they are opened', () => {
  const lines = Array.from({ length: 20 }, (_, at) => `line ${String(at)}`)
  const { rows } = diffTexts(lines.join('\n'), lines.join('\n').replace('line 10', 'line ten'))
  expect(folded(rows, new Set()).map(({ kind, start }) => [kind, start])).toEqual([
    ['fold', 0],
    ['rows', 7],
    ['fold', 15],
  ])
  expect(folded(rows, new Set([15])).map(({ kind }) => kind)).toEqual(['fold', 'rows', 'rows'])
  expect(folded([], new Set())).toEqual([])
})
