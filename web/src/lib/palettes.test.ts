// Checks the palettes against the tokens and against the paper they are seen on.
import { expect, test } from 'vitest'
import { contrast } from './colour'
import { BULK, COLOUR_NAMES, KYMOGRAPH, PALETTES, PAPER, sequential, type Theme } from './palettes'

const FILES = import.meta.glob<string>('../styles/tokens.css', { eager: true, query: '?raw', import: 'default' })
const [light = '', dark = ''] = (FILES['../styles/tokens.css'] ?? '').split(':root[data-theme=dark]')
const THEMES: readonly Theme[] = ['light', 'dark']

function token(name: string, theme: Theme): string | undefined {
  return new RegExp(`--${name}:(#[0-9a-f]{6})`).exec(theme === 'light' ? light : dark)?.[1]
}

test.each(THEMES)('the %s colours are those of the tokens', (theme) => {
  expect(KYMOGRAPH[theme]).toEqual(COLOUR_NAMES.map((_, at) => token(`run-${String(at + 1)}`, theme)))
  expect(BULK[theme]).toBe(token('bulk', theme))
  expect(PAPER[theme]).toBe(token('surface', theme))
  expect(sequential(theme, 1)).toBe(token('seq-5', theme))
})

test.each(Object.entries(PALETTES))('%s has no colour twice and the same places in both themes', (_, palette) => {
  expect(palette.light.length).toBe(palette.dark.length)
  for (const theme of THEMES) expect(new Set(palette[theme]).size).toBe(palette[theme].length)
})

test.each(['kymograph', 'distinct'] as const)('every colour of %s is seen on its paper', (name) => {
  for (const theme of THEMES) {
    for (const colour of PALETTES[name][theme]) expect(contrast(colour, PAPER[theme]), colour).toBeGreaterThan(3)
  }
})
