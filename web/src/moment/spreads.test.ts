import { describe, expect, it } from 'vitest'
import type { MomentItem, Spread } from '../api/moment'
import { layerRows } from './spreads'

const item = (tag: string, referenceAddress: string | null = 'x'): MomentItem =>
  ({ tag, referenceAddress }) as MomentItem
const spread = (std: number | null): Spread => ({ count: 1, mean: 0, std, error: null })

describe('the spreads of layers', () => {
  it('are places on one logarithmic axis, with their ratio', () => {
    const [a, b] = layerRows([item('a'), item('b')], [spread(0.01), spread(1), spread(0.1), spread(0.1)])
    expect(a).toMatchObject({ ratio: 100, before: 4, after: 96, from: 4, to: 96 })
    expect(b).toMatchObject({ ratio: 1, before: 50, after: 50 })
  })

  it('do not make a small change look large', () => {
    const [a] = layerRows([item('a')], [spread(1), spread(1.1)])
    expect((a?.to ?? 0) - (a?.from ?? 0)).toBeLessThan(5)
  })

  it('say nothing of what is not known', () => {
    const rows = layerRows([item('a', null), item('b')], [spread(1), spread(1), spread(null), spread(0)])
    expect(rows.map(({ ratio }) => ratio)).toEqual([null, null])
    expect(rows.map(({ after }) => after)).toEqual([50, null])
    expect(layerRows([item('a')], [])).toEqual([])
  })
})
