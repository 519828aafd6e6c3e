// What a person's pattern captures of names of runs: they are grouped and coloured by it.
import { ExpressionError } from '../lib/expression/error'
import { capture, type Capture } from '../lib/expression/regex'

type Captured = (run: string) => string | null

// One to group and one to colour by, and what they were before.
const KEPT = 4
const kept = new Map<string, Captured>()

/** What the pattern captures, joined; the pattern itself if it captures nothing; null if it does not match or is not valid. */
export function captured(pattern: string): Captured {
  let found = kept.get(pattern)
  if (found === undefined) {
    const [oldest] = kept.keys()
    if (kept.size >= KEPT && oldest !== undefined) kept.delete(oldest)
    kept.set(pattern, (found = remembered(pattern)))
  }
  return found
}

/** One sentence on what is wrong with a pattern; null when nothing is. */
export function patternFault(pattern: string): string | null {
  const compiled = attempt(pattern)
  return compiled instanceof ExpressionError ? compiled.message : null
}

/** Names are matched once: lists are rebuilt whenever runs arrive. */
function remembered(pattern: string): Captured {
  const compiled = attempt(pattern)
  if (compiled instanceof ExpressionError) return () => null
  const known = new Map<string, string | null>()
  return (run) => {
    let text = known.get(run)
    if (text === undefined) {
      const groups = compiled(run)
      known.set(run, (text = groups === null ? null : groups.length === 0 ? pattern : groups.join(', ')))
    }
    return text
  }
}

function attempt(pattern: string): Capture | ExpressionError {
  try {
    return capture(pattern)
  } catch (error) {
    if (error instanceof ExpressionError) return error
    throw error
  }
}
