import { describe, expect, it } from 'vitest'
import { binned, type Buckets } from './pair'

const buckets = (...rows: readonly (readonly [number, number, number])[]): Buckets => ({
  left: Float64Array.from(rows, ([left]) => left),
  right: Float64Array.from(rows, ([, right]) => right),
  count: Float64Array.from(rows, ([, , count]) => count),
})

describe('two histograms on one axis', () => {
  it('keep their counts, spread over bins of equal width', () => {
    const pair = binned(buckets([0, 1, 4]), buckets([-1, 0, 2], [0, 3, 6], [3, 9, 0]), 8)
    expect(pair?.domain).toEqual([-1, 3])
    expect(pair?.before).toEqual(Float64Array.from([0, 0, 2, 2, 0, 0, 0, 0]))
    expect(pair?.after).toEqual(Float64Array.from([1, 1, 1, 1, 1, 1, 1, 1]))
  })

  it('take a bucket without width, and infinite edges, as they are', () => {
    const pair = binned(null, buckets([2, 2, 5], [3, Infinity, 1]), 4)
    expect(pair?.after.reduce((sum, count) => sum + count, 0)).toBe(5)
    expect(pair?.before.every((count) => count === 0)).toBe(true)
  })

  it('are nothing without values', () => {
    expect(binned(null, buckets([0, 1, 0]), 4)).toBeNull()
    expect(binned(null, null, 4)).toBeNull()
  })
})
