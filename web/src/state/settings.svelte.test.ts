// What is remembered, and who hears of a choice.
import { flushSync } from 'svelte'
import { expect, test } from 'vitest'
import { DEFAULTS, Settings } from './settings.svelte'

function memory(stored: string | null = null): {
  getItem: () => string | null
  setItem: (key: string, value: string) => void
} {
  let kept = stored
  return {
    getItem: () => kept,
    setItem: (_, value) => {
      kept = value
    },
  }
}

test('a choice is told to those who read it, and to no others', () => {
  const settings = new Settings(() => memory())
  const heard: string[] = []
  const stop = $effect.root(() => {
    $effect(() => {
      heard.push(`rail ${String(settings.values.railWidth)}`)
    })
    $effect(() => {
      heard.push(`columns ${settings.values.tooltipColumns.join()}`)
    })
  })
  flushSync()
  heard.length = 0
  settings.set('railWidth', 400)
  flushSync()
  expect(heard).toEqual(['rail 400'])
  stop()
})

test('choices are there the next time, and gone after a reset', () => {
  const kept = memory()
  const settings = new Settings(() => kept)
  settings.set('tooltipColumns', ['value', 'wall'])
  expect(new Settings(() => kept).values).toEqual({ ...DEFAULTS, tooltipColumns: ['value', 'wall'] })
  settings.reset()
  expect(settings.values).toEqual(DEFAULTS)
  expect(new Settings(() => kept).values).toEqual(DEFAULTS)
})

test.each(['no JSON', 'null', '{"railWidth":"wide","tooltipColumns":{},"unheard":1}'])(
  'what makes no sense is forgotten: %s',
  (stored) => {
    expect(new Settings(() => memory(stored)).values).toEqual(DEFAULTS)
  },
)

test('what was before a reset can be brought back from a copy', () => {
  const settings = new Settings(() => memory())
  settings.set('startRuns', { which: 'best', count: 3, tag: 'acc' })
  const before = $state.snapshot(settings.values)
  settings.reset()
  expect(settings.values.startRuns).toEqual(DEFAULTS.startRuns)
  settings.replace(before)
  expect(settings.values.startRuns).toEqual({ which: 'best', count: 3, tag: 'acc' })
})
