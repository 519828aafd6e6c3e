import { describe, expect, it } from 'vitest'
import type { MomentItem, MomentRow } from '../api/moment'
import { changeText, distance, distanceWords, markText, oldText, sinceText } from './labels'

const row = (value: number, referenceValue: number, more: Partial<MomentRow> = {}): MomentRow =>
  ({ value, referenceValue, referenceStep: 1, since: NaN, rangePoints: 50, ...more }) as MomentRow

describe('what is said of a moment', () => {
  it.each([
    [41.72, 1.098, '× 38'],
    [32_800, 65_600, '÷ 2'],
    [2.712, 1.384, '+1.328'],
    [1, 1, '0'],
    [-3, 2, '−5'],
    [NaN, 2, '→ NaN'],
    [NaN, NaN, '0'],
    [3, 0, '+3'],
  ])('%d after %d is %s', (now, then, text) => {
    expect(changeText(row(now, then))).toBe(text)
  })

  it('names no change without a reference', () => {
    expect(changeText(row(1, NaN, { referenceStep: NaN }))).toBe('–')
  })

  it('says since when, or that it is usual', () => {
    expect(sinceText(row(1, 1, { since: 27_430 }))).toBe('27,430')
    expect(sinceText(row(1, 1))).toBe('usual')
    expect(sinceText(row(1, 1, { rangePoints: 0 }))).toBe('–')
  })

  it('names marks', () => {
    expect(markText({ step: 4000, kind: 'nan', tag: 'loss' })).toBe('4,000: loss first NaN or infinity')
    expect(markText({ step: 4000, kind: 'restart', tag: null })).toBe('4,000: restarted')
  })

  it('says how far back an item is', () => {
    expect([distance(27_500, 27_520), distance(5, 5), distance(null, 5)]).toEqual(['−20', 'exact', 'none before'])
    expect(distanceWords(27_500, 27_520)).toBe('20 before')
  })

  it('says that an item is from before the range was left, and where the next one is', () => {
    const item = { step: 27_000, nextStep: 28_000 } as MomentItem
    expect(oldText(item, 27_440, 27_520)).toMatch(/the next, 28,000, is 480 after$/)
    expect(oldText({ ...item, nextStep: null }, 27_440, 27_520)).toMatch(/none has followed$/)
    expect(oldText(item, NaN, 27_520)).toBeNull()
    expect(oldText({ ...item, step: 27_500 }, 27_440, 27_520)).toBeNull()
  })
})
