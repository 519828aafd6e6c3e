// What is stored, and which readers are notified.
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

test('a change notifies only the readers of that setting', () => {
  const settings = new Settings(() => memory())
  const notified: string[] = []
  const stop = $effect.root(() => {
    $effect(() => {
      notified.push(`rail ${String(settings.values.railWidth)}`)
    })
    $effect(() => {
      notified.push(`columns ${settings.values.tooltipColumns.join()}`)
    })
  })
  flushSync()
  notified.length = 0
  settings.set('railWidth', 400)
  flushSync()
  expect(notified).toEqual(['rail 400'])
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

test.each(['no JSON', 'null', '{"railWidth":"wide","tooltipColumns":{},"unknown":1}'])(
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

test('stored values outside the declared range are moved into it', () => {
  const stored = JSON.stringify({ cardHeight: 90, tooltipRows: 400, tooltipSort: 'middle', railWidth: 400 })
  expect(new Settings(() => memory(stored)).values).toEqual({
    ...DEFAULTS,
    cardHeight: 100,
    tooltipRows: 100,
    railWidth: 400,
  })
})

test('a widget cannot set what the declaration does not allow', () => {
  const settings = new Settings(() => memory())
  settings.choose('colouredRuns', 1000)
  settings.choose('palette', 'rainbow')
  expect([settings.values.colouredRuns, settings.values.palette]).toEqual([64, 'kymograph'])
})
