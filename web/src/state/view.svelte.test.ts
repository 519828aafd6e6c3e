// Who hears of a change of the view.
import { flushSync } from 'svelte'
import { expect, test } from 'vitest'
import { USUAL, View } from './view.svelte'

test('a change of one fact is told to those who read it, and to no others', () => {
  const view = new View()
  const heard: string[] = []
  const stop = $effect.root(() => {
    $effect(() => {
      heard.push(`choice ${view.values.choice.base}`)
    })
    $effect(() => {
      heard.push(`window ${String(view.values.window)}`)
    })
    $effect(() => {
      heard.push(`whole ${String(view.whole.window)}`)
    })
  })
  flushSync()
  heard.length = 0
  view.set('window', [1, 2])
  flushSync()
  expect(heard.sort()).toEqual(['whole 1,2', 'window 1,2'])
  stop()
})

test('the facts are there when nobody listens, also as one object', () => {
  const view = new View()
  view.set('smoothing', 'none')
  expect(view.values.smoothing).toBe('none')
  expect({ ...view.values }).toEqual({ ...USUAL, smoothing: 'none' })
})
