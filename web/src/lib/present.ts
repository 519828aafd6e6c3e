// For tests: a value that must be there.

export function present<T>(value: T | null | undefined): T {
  if (value === null || value === undefined) throw new Error('expected a value, got none')
  return value
}
