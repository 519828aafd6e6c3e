// Where the tooltip goes.
import { expect, test } from 'vitest'
import type { Line } from '../../charts/line/types'
import { emptiest, inkMap } from './corner'

function line(at: (x: number) => number): Line {
  const x = Float64Array.from({ length: 101 }, (_, step) => step)
  const data = { kind: 'points', x, y: Float64Array.from(x, at), smoothed: null } as const
  return { key: 'a', label: 'a', data, before: null, after: null, style: { colour: '#000000', dash: 'solid', role: 'lead' }, isGrowing: false }
}
const x = ['linear', [0, 100]] as const
const falling = inkMap([line((step) => 100 - step)], [], x, ['linear', [0, 100]])

test('the tooltip goes where no line is', () => {
  expect(emptiest(falling, 0.4, 0.4, [0.1, 0.9])).toBe('top-right')
})

test('it leaves the place that is pointed at', () => {
  expect(emptiest(falling, 0.4, 0.4, [0.9, 0.1])).toBe('bottom-left')
})

test('one that is too large for the plot goes elsewhere', () => {
  expect(emptiest(falling, 0.8, 0.4, [0, 0])).toBeNull()
  expect(emptiest(falling, 0.4, 0.95, [0, 0])).toBeNull()
})

test('a logarithmic axis is minded', () => {
  // 10^(step/50) is a straight line from the bottom left to the top right there.
  const rising = inkMap([line((step) => 10 ** (step / 50))], [], x, ['log', [1, 100]])
  expect(emptiest(rising, 0.4, 0.4, [0.5, 0.5])).toBe('top-left')
})
