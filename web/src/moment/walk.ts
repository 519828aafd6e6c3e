// Where the keys go from a step: to the next point, item or mark.
import type { MomentAnswer, WalkSteps } from '../api/moment'

export type WalkBy = 'point' | 'item' | 'mark'

export function stepsOf(answer: MomentAnswer, by: WalkBy): WalkSteps {
  if (by === 'point') return answer.points
  if (by === 'item') return answer.itemSteps
  const steps = [...new Set(answer.marks.map(({ step }) => step))].sort((a, b) => a - b)
  return {
    before: steps.filter((step) => step < answer.step),
    after: steps.filter((step) => step > answer.step),
    first: steps[0] ?? null,
    last: steps.at(-1) ?? null,
  }
}

/** So many steps forth or back from `from`, at most to the last that is known; null where there is none. The step itself need not be a logged one, nor that of the answer. */
export function walked({ before, after }: WalkSteps, answered: number, from: number, by: number): number | null {
  const known = [...before, answered, ...after]
  const ahead = by > 0 ? known.filter((step) => step > from) : known.filter((step) => step < from).reverse()
  // The step of the answer may be no step of this kind.
  const real = ahead.filter(
    (step) => step !== answered || before.at(-1) === step || after[0] === step || from !== answered,
  )
  return real[Math.min(Math.abs(by), real.length) - 1] ?? null
}
