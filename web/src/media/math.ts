// Formulas as MathML, which needs neither styles nor fonts; loaded when a text has one.
import katex from 'katex'

// A macro may expand to more; a formula that does is shown as its source.
const MOST_EXPANSIONS = 1_000

/** Null for what is no formula. */
export function math(tex: string, isBlock: boolean): string | null {
  try {
    return katex.renderToString(tex, {
      displayMode: isBlock,
      output: 'mathml',
      throwOnError: true,
      strict: 'ignore',
      trust: false,
      maxExpand: MOST_EXPANSIONS,
      maxSize: 20,
    })
  } catch {
    return null
  }
}
