// Which logged item is shown at a step: the nearest at or before it, never a later one, and nothing in between.

/** Steps in the order in which they were logged. */
export type Steps = Float64Array<ArrayBuffer>

/** What holds for a whole column of steps. */
interface Facts {
  readonly isAscending: boolean
  /** Lowest and highest; infinite without any. */
  readonly first: number
  readonly last: number
}

// Columns are never changed in place, so what holds for one holds as long as it exists.
const known = new WeakMap<Steps, Facts>()

export function factsOf(steps: Steps): Facts {
  let facts = known.get(steps)
  if (facts === undefined) {
    let [isAscending, first, last] = [true, Infinity, -Infinity]
    for (const step of steps) {
      isAscending &&= step >= last
      first = Math.min(first, step)
      last = Math.max(last, step)
    }
    facts = { isAscending, first, last }
    known.set(steps, facts)
  }
  return facts
}

/** The position of the item with the highest step at or before `step`, of several the last; -1 before the first. */
export function atOrBefore(steps: Steps, step: number): number {
  if (!factsOf(steps).isAscending) {
    // Steps that were logged out of order stay in that order.
    let found = -1
    for (const [at, logged] of steps.entries()) if (logged <= step && logged >= (steps[found] ?? -Infinity)) found = at
    return found
  }
  let [low, high] = [0, steps.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((steps[middle] ?? Infinity) <= step) low = middle + 1
    else high = middle
  }
  return low - 1
}

/** The steps of several series, each once, in order. */
export function mergedSteps(series: readonly Steps[]): Steps {
  const [first] = series
  // Runs of one script log at the same steps.
  if (first !== undefined && isStrictlyAscending(first) && series.every((one) => isEqual(one, first))) return first
  const all = new Float64Array(series.reduce((sum, one) => sum + one.length, 0))
  let end = 0
  for (const one of series) {
    all.set(one, end)
    end += one.length
  }
  all.sort()
  return all.filter((step, at) => at === 0 || step !== all[at - 1])
}

function isStrictlyAscending(steps: Steps): boolean {
  return steps.every((step, at) => at === 0 || step > (steps[at - 1] ?? step))
}

function isEqual(one: Steps, other: Steps): boolean {
  return one === other || (one.length === other.length && one.every((step, at) => step === other[at]))
}
