import { describe, expect, it } from 'vitest'
import { stepsOf, walked } from './walk'
import type { MomentAnswer } from '../api/moment'

const STEPS = { before: [10, 20, 30], after: [50, 60], first: 0, last: 90 }

describe('walking', () => {
  it('goes to the neighbours of the cursor', () => {
    expect(walked(STEPS, 40, 40, 1)).toBe(50)
    expect(walked(STEPS, 40, 40, -1)).toBe(30)
    expect(walked(STEPS, 40, 40, 2)).toBe(60)
  })

  it('goes as far as is known', () => {
    expect(walked(STEPS, 40, 40, 10)).toBe(60)
    expect(walked(STEPS, 40, 40, -10)).toBe(10)
    expect(walked({ ...STEPS, after: [] }, 40, 40, 1)).toBeNull()
  })

  it('goes on while the answer is that of an earlier step', () => {
    expect(walked(STEPS, 40, 50, 1)).toBe(60)
    expect(walked(STEPS, 40, 30, -1)).toBe(20)
  })

  it('walks through marks, each step once', () => {
    const mark = (step: number) => ({ step, kind: 'nan' as const, tag: null })
    const answer = { step: 40, marks: [mark(70), mark(10), mark(10)] } as unknown as MomentAnswer
    expect(stepsOf(answer, 'mark')).toEqual({ before: [10], after: [70], first: 10, last: 70 })
  })
})
