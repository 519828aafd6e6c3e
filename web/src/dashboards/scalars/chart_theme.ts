// The colours and fonts of paper and ink, read from the style sheet in force.
import type { ChartTheme } from '../../charts/line/types'

export function chartTheme(root: HTMLElement = document.documentElement): ChartTheme {
  const style = getComputedStyle(root)
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
