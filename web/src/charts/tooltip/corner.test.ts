// Where the tooltip goes.
import { describe, expect, test } from 'vitest'
import { Scale } from '../plot/scale'
import { beside, emptiest, freestSide, inkMap, type Drawn, type Pointed } from './corner'

function line(at: (x: number) => number): Drawn {
  const x = Float64Array.from({ length: 101 }, (_, step) => step)
  return { x, y: Float64Array.from(x, at) }
}
function at(place: Pointed['at']): Pointed {
  return { at: place, around: [0.1, 0.1] }
}

// A plot of 400 by 200 pixels.
const x = new Scale('linear', [0, 100], 46, 446)
const falling = inkMap([line((step) => 100 - step)], x, new Scale('linear', [0, 100], 208, 8))

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

  test('covers no other chart where there is room', () => {
    const at = plot(50, 100)
    const right = { left: 330, top: 100, right: 580, bottom: 250 }
    const below = { left: 50, top: 280, right: 300, bottom: 430 }
    const place = (others: readonly (typeof right)[]) => beside(at, freestSide(at, size, window, others), size, window)
    expect(freestSide(at, size, window, [])).toBe('right')
    expect(place([])).toEqual([312, 100])
    expect(freestSide(at, size, window, [right])).toBe('below')
    expect(place([right])).toEqual([50, 274])
    expect(freestSide(at, size, window, [below])).toBe('right')
  })

  test('leaves the title above its plot free, and the list of runs beside it', () => {
    const at = plot(350, 400)
    const legend = { left: 0, top: 0, right: 300, bottom: 1000 }
    const right = { left: 630, top: 0, right: 1000, bottom: 1000 }
    const below = { left: 350, top: 560, right: 600, bottom: 1000 }
    const tall = { width: 1000, height: 1000 }
    expect(freestSide(at, size, tall, [right, below])).toBe('left')
    expect(freestSide(at, size, tall, [right, below, legend])).toBe('above')
    expect(beside(at, 'above', size, tall)[1] + size.height).toBeLessThanOrEqual(at.top - 36)
  })

  test('stays in the window, and does not cover its own plot', () => {
    const low = { width: 1000, height: 300 }
    for (const at of [plot(50, 80), plot(740, 80)]) {
      const [left, top] = beside(at, freestSide(at, size, low, []), size, low)
      expect(top + size.height).toBeLessThanOrEqual(300)
      expect(left + size.width <= at.left || left >= at.right).toBe(true)
    }
  })
})

test('one that is too large for the plot goes elsewhere', () => {
  expect(emptiest(falling, 0.8, 0.4, at([0, 0]))).toBeNull()
  expect(emptiest(falling, 0.4, 0.95, at([0, 0]))).toBeNull()
})

test.each([
  ['log', [1, 100], (step: number) => 10 ** (step / 50)],
  // With its knee at 0.001, half of the axis is for what is less than 0.03.
  ['symlog', [0, 1], (step: number) => 0.001 * (1001 ** (step / 100) - 1)],
] as const)('values are where the chart draws them on a %s axis', (kind, range, value) => {
  // A straight line from the bottom left to the top right there.
  const rising = inkMap([line(value)], x, new Scale(kind, range, 208, 8, 0.001))
  expect(emptiest(rising, 0.4, 0.4, at([0.5, 0.55]))).toBe('top-left')
})

test('what is not finite is nowhere', () => {
  const nan = inkMap([line(() => NaN)], x, new Scale('linear', [0, 100], 208, 8))
  expect(nan.every((count) => count === 0)).toBe(true)
})
