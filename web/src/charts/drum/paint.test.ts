import { describe, expect, it } from 'vitest'
import { pointAt, tickAt, xScale, yScale, type DrumData } from './paint'

const line = (x: readonly number[], y: readonly number[]): DrumData['line'] => {
  const values = Float64Array.from(y)
  return { x: Float64Array.from(x), first: values, min: values, max: values, last: values }
}

const data = (over: Partial<DrumData> = {}): DrumData => ({
  window: [0, 100],
  line: line([0, 50, 100], [1, 2, 3]),
  usual: null,
  since: NaN,
  back: NaN,
  step: 50,
  value: 2,
  reference: null,
  referenceValue: NaN,
  lanes: [],
  colour: '#000',
  ...over,
})

describe('the drum', () => {
  it('shows all values and the usual range', () => {
    const { domain, kind } = yScale(data({ usual: [0.5, 1.5] }), 100)
    expect(kind).toBe('linear')
    expect(domain[0]).toBeLessThan(0.5)
    expect(domain[1]).toBeGreaterThan(3)
  })

  it('has a logarithmic axis where a curve exploded', () => {
    expect(yScale(data({ line: line([0, 1], [1, 1e6]) }), 100).kind).toBe('log')
    expect(yScale(data({ line: line([0, 1], [-1, 1e6]) }), 100).kind).toBe('linear')
  })

  it('can be drawn without a finite value', () => {
    const { domain } = yScale(data({ line: line([0, 1], [NaN, NaN]) }), 100)
    expect(domain[0]).toBeLessThan(domain[1])
  })

  it('finds the tick of a lane and the point of the curve that is meant', () => {
    const x = xScale(data(), 200)
    const lane = { ticks: Float64Array.from([10, 40, 45]), at: null, reference: null }
    expect(tickAt(lane, x, 89, 6)).toBe(45)
    expect(tickAt(lane, x, 81, 6)).toBe(40)
    expect(tickAt(lane, x, 150, 6)).toBeNull()
    expect(pointAt(data(), x, 120)).toBe(50)
  })
})
