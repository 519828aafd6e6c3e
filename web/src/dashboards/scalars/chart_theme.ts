// The colours and fonts of paper and ink, read from the style sheet in force.
import type { ChartTheme } from '../../charts/line/types'

let known: { readonly name: string | undefined; readonly theme: ChartTheme } | null = null

/** Read once for each theme: to ask while cards are being made would lay out the page for each. */
export function chartTheme(): ChartTheme {
  const root = document.documentElement
  const name = root.dataset.theme
  if (known === null || known.name !== name) known = { name, theme: read(getComputedStyle(root)) }
  return known.theme
}

function read(style: CSSStyleDeclaration): ChartTheme {
  const token = (name: string): string => style.getPropertyValue(`--${name}`).trim()
  return {
    surface: token('surface'),
    ink: token('ink'),
    ink3: token('ink-3'),
    grid: token('grid'),
    zero: token('zero'),
    bulk: token('bulk'),
    veil: token('veil'),
    bad: token('bad'),
    sans: token('sans'),
    mono: token('mono'),
  }
}
