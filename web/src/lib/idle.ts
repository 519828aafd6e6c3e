// Doing something while the page is idle.

/** Within `withinMillis` at the latest; the returned function takes it back. */
export function whenIdle(act: () => void, withinMillis: number): () => void {
  // Not every browser reports when it is idle.
  if (typeof requestIdleCallback !== 'function') {
    const timer = setTimeout(act, Math.min(200, withinMillis))
    return () => {
      clearTimeout(timer)
    }
  }
  const id = requestIdleCallback(act, { timeout: withinMillis })
  return () => {
    cancelIdleCallback(id)
  }
}
