// Where the tooltip goes.
import { describe, expect, test } from 'vitest'
import type { Line } from '../../charts/line/types'
import { emptiest, inkMap, outside, type Pointed } from './corner'

function line(at: (x: number) => number): Line {
  const x = Float64Array.from({ length: 101 }, (_, step) => step)
  const data = { kind: 'points', x, y: Float64Array.from(x, at), smoothed: null } as const
  return {
    key: 'a',
    label: 'a',
    data,
    before: null,
    after: null,
    style: { colour: '#000000', dash: 'solid', role: 'lead' },
    isGrowing: false,
  }
}
function at(place: Pointed['at']): Pointed {
  return { at: place, around: [0.1, 0.1] }
}

const x = ['linear', [0, 100]] as const
const falling = inkMap([line((step) => 100 - step)], [], x, ['linear', [0, 100]])

test('the tooltip goes where no line is', () => {
  expect(emptiest(falling, 0.4, 0.4, at([0.1, 0.9]))).toBe('top-right')
})

test('it leaves the place that is pointed at', () => {
  expect(emptiest(falling, 0.4, 0.4, at([0.9, 0.1]))).toBe('bottom-left')
})

test('it leaves what is near the pointer, too', () => {
  expect(emptiest(falling, 0.4, 0.4, at([0.55, 0.3]))).toBe('bottom-left')
})

describe('a tooltip that does not fit into the plot', () => {
  const size = { width: 300, height: 200 }
  const window = { width: 1000, height: 800 }
  const plot = (left: number, top: number) => ({ left, top, right: left + 250, bottom: top + 150 })

  test.each([
    ['is below it', plot(50, 100), [50, 274]],
    ['is above it where there is no room below', plot(50, 500), [50, 276]],
    ['stays in the window', plot(740, 100), [696, 274]],
  ] as const)('%s', (_, where, place) => {
    expect(outside(where, size, window)).toEqual(place)
  })

  test('is beside it in a window that is low', () => {
    const low = { width: 1000, height: 300 }
    expect(outside(plot(50, 80), size, low)).toEqual([312, 80])
    expect(outside(plot(740, 80), size, low)).toEqual([388, 80])
  })
})

test('one that is too large for the plot goes elsewhere', () => {
  expect(emptiest(falling, 0.8, 0.4, at([0, 0]))).toBeNull()
  expect(emptiest(falling, 0.4, 0.95, at([0, 0]))).toBeNull()
})

test('a logarithmic axis is minded', () => {
  // 10^(step/50) is a straight line from the bottom left to the top right there.
  const rising = inkMap([line((step) => 10 ** (step / 50))], [], x, ['log', [1, 100]])
  expect(emptiest(rising, 0.4, 0.4, at([0.5, 0.55]))).toBe('top-left')
})
