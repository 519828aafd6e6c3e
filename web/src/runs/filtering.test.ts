// The filter's text in pieces.
import { expect, test } from 'vitest'
import { pieces } from './filtering'

function told(text: string, kind: Parameters<typeof pieces>[1], wrongAt: number | null): readonly string[] {
  return pieces(text, kind, wrongAt).map((piece) => `${piece.kind}${piece.isWrong ? '!' : ''}:${piece.text}`)
}

test('an expression is shown word by word', () => {
  expect(told('lr < 0.01 and x', 'expression', null)).toEqual([
    'name:lr',
    'plain: ',
    'operator:<',
    'plain: ',
    'number:0.01',
    'plain: ',
    'keyword:and',
    'plain: ',
    'name:x',
  ])
})

test('the word that is wrong is marked', () => {
  expect(told('lr < and', 'expression', 5).at(-1)).toBe('keyword!:and')
  expect(told('a(b', 'regex', 1)).toEqual(['plain:a', 'plain!:(b'])
})

test('nothing is lost of a text that cannot be read', () => {
  expect(told('model = "res', 'expression', 8)).toEqual(['plain:model = ', 'plain!:"res'])
  expect(told('lr <', 'expression', 4).join('')).toBe('name:lrplain: operator:<')
})
