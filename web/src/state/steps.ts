// Which logged item is shown at a step: the nearest at or before it, never a later one, and nothing in between.

/** The position of the item with the highest step at or before `step`, of several the last; -1 before the first. */
export function atOrBefore(steps: readonly number[], step: number): number {
  let found = -1
  // Not a binary search: steps that were logged out of order stay in that order.
  for (const [at, logged] of steps.entries()) if (logged <= step && logged >= (steps[found] ?? -Infinity)) found = at
  return found
}

/** The steps of several series, each once, in order. */
export function mergedSteps(series: readonly (readonly number[])[]): number[] {
  return [...new Set(series.flat())].sort((a, b) => a - b)
}
