// The colours that runs take, in light and dark; the same place is the same name in both.
import { fromOklch, ramp, toHex } from './colour'

export type Theme = 'light' | 'dark'
/** A palette for the light theme and its twin for the dark one. */
export type Palette = Readonly<Record<Theme, readonly string[]>>

/** As `--run-1` … `--run-12` in styles/tokens.css. */
export const KYMOGRAPH: Palette = {
  light: [
    '#2382fb',
    '#b45f44',
    '#1b7667',
    '#a48b0f',
    '#663db5',
    '#e25998',
    '#5a966b',
    '#6c420f',
    '#045474',
    '#964252',
    '#616e02',
    '#b458ba',
  ],
  dark: [
    '#6da9fe',
    '#e76439',
    '#4cf0d4',
    '#f6d64f',
    '#9371e7',
    '#d1779c',
    '#61a675',
    '#f09b35',
    '#9ad0ee',
    '#e8acb4',
    '#c9d693',
    '#a664aa',
  ],
}

/** What people call the colours of `KYMOGRAPH`. */
export const COLOUR_NAMES = [
  'blue',
  'rust',
  'teal',
  'gold',
  'violet',
  'pink',
  'green',
  'brown',
  'petrol',
  'wine',
  'olive',
  'orchid',
] as const

// Okabe and Ito's black is ink here, and their yellow is darker on paper: 1.3:1 would not be seen.
const OKABE_ITO: Palette = {
  light: ['#0072b2', '#d55e00', '#009e73', '#cc79a7', '#56b4e9', '#e69f00', '#b8a900', '#1b1d1f'],
  dark: ['#3d9fda', '#e8772e', '#1fbf93', '#d894b9', '#7cc6f0', '#eeb13a', '#f0e442', '#ebeae6'],
}

/** Slate, cyan, pink, yellow, purple, light green, orange: those of TensorBoard's own page. */
const TENSORBOARD: Palette = {
  light: ['#425066', '#12b5cb', '#e52592', '#f9ab00', '#9334e6', '#7cb342', '#e8710a'],
  dark: ['#8e98a3', '#12b5cb', '#e52592', '#f9ab00', '#9334e6', '#7cb342', '#e8710a'],
}

// Turning by the golden angle keeps neighbours in the list far apart, however many there are.
const GOLDEN_DEGREES = 137.508
const DISTINCT_COUNT = 48
const LIGHTNESS: Readonly<Record<Theme, readonly number[]>> = { light: [0.56, 0.44, 0.64], dark: [0.74, 0.62, 0.84] }

function distinct(theme: Theme): readonly string[] {
  const steps = LIGHTNESS[theme]
  return Array.from({ length: DISTINCT_COUNT }, (_, at) =>
    toHex(fromOklch([steps[at % steps.length] ?? 0.6, 0.15, (250 + at * GOLDEN_DEGREES) % 360])),
  )
}

const DISTINCT: Palette = { light: distinct('light'), dark: distinct('dark') }

export const PALETTES = { kymograph: KYMOGRAPH, distinct: DISTINCT, 'okabe-ito': OKABE_ITO, tensorboard: TENSORBOARD }

/** Lines of runs without a colour of their own, as `--bulk`. */
export const BULK: Readonly<Record<Theme, string>> = { light: '#bcbcb5', dark: '#4c4b47' }

/** What charts are drawn on, as `--surface`. */
export const PAPER: Readonly<Record<Theme, string>> = { light: '#fcfcfa', dark: '#171716' }

// As `--seq-…` of the tokens, without the end that is next to paper.
const SEQUENTIAL: Palette = {
  light: ['#b4d0d0', '#8fbcc2', '#4f8fa8', '#2b5f88', '#1c2f57'],
  dark: ['#24465f', '#2a5878', '#3f86a0', '#7fbdbf', '#e9efdf'],
}

/** The colour of a value at `part`, 0 to 1, of its column's range. */
export function sequential(theme: Theme, part: number): string {
  return ramp(SEQUENTIAL[theme], part)
}
