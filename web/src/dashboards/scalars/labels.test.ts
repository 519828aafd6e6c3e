// Words of a card.
import { expect, test } from 'vitest'
import type { Line } from '../../charts/line/types'
import { ratioText, specTitle, summary, xText, zoomText } from './labels'

test('several tags and expressions are one title', () => {
  expect(specTitle({ tags: ['a', 'b'], expressions: ['a - b'] })).toBe('a, b, a - b')
})

test.each([
  [1, 'exact'],
  [0, 'exact'],
  [1.2, '2:1'],
  [12.4, '12:1'],
  [10_000, '10,000:1'],
])('the ratio %d is written %s', (ratio, text) => {
  expect(ratioText(ratio)).toBe(text)
})

test('a zoom is told in the units of the axis', () => {
  expect(zoomText({ x: [14_000, 44_000], y: null }, 'step')).toBe('Zoomed to 14,000 to 44,000')
  expect(zoomText({ x: [60, 7200], y: null }, 'duration')).toBe('Zoomed to 1 m to 2 h')
  expect(zoomText({ x: null, y: [0.1, 0.2] }, 'step')).toBe('Zoomed to 0.1 to 0.2')
  expect(zoomText({ x: null, y: null }, 'step')).toBe('')
  expect(xText(0.25, 'value')).toBe('0.25')
})

function line(label: string, y: number[]): Line {
  const data = {
    kind: 'points',
    x: Float64Array.from(y, (_, at) => at),
    y: Float64Array.from(y),
    smoothed: null,
  } as const
  return {
    key: label,
    label,
    data,
    before: null,
    after: null,
    style: { colour: '#000000', dash: 'solid', role: 'lead' },
    isGrowing: false,
  }
}

test('a sentence says which lines there are, how far they go and which is best', () => {
  const lines = [line('a', [3, 2]), line('b', [NaN, 1, 4])]
  expect(summary('loss', lines, 'step', { key: 'b', x: 1, value: 1 }, 'lower')).toBe(
    'loss: 2 lines (a, b); from 0 to 2; values 1 to 4; lowest 1 by b at 1.',
  )
  expect(
    summary(
      'loss',
      ['a', 'b', 'c', 'd', 'e', 'f'].map((name) => line(name, [1])),
      'step',
      null,
      null,
    ),
  ).toContain('6 lines (a, b, c, d and 2 more)')
  expect(summary('loss', [], 'step', null, null)).toBe('loss: no data in the shown runs.')
})
