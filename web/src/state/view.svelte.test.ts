// Reading and changing facts of the view, shared ones and those of dashboards.
import { flushSync } from 'svelte'
import { expect, test } from 'vitest'
import { many, one, text, word } from '../lib/query'
import { View } from './view.svelte'

test('a change of one fact notifies its readers and no others', () => {
  const view = new View()
  const seen: string[] = []
  const stop = $effect.root(() => {
    $effect(() => {
      seen.push(`choice ${view.values.choice.base}`)
    })
    $effect(() => {
      seen.push(`window ${String(view.values.window)}`)
    })
    $effect(() => {
      seen.push(`whole ${String(view.whole['window'])}`)
    })
  })
  flushSync()
  seen.length = 0
  view.set('window', [1, 2])
  flushSync()
  expect(seen.sort()).toEqual(['whole 1,2', 'window 1,2'])
  stop()
})

test('the facts can be read outside of effects, also as one object', () => {
  const view = new View()
  view.set('smoothing', 'none')
  expect(view.values.smoothing).toBe('none')
  expect({ ...view.values }).toEqual({ ...new View().values, smoothing: 'none' })
})

const imageFacts = { layout: one('images.layout', word('cards', 'grid'), 'cards'), chosen: many('images.tag', text) }

test('a dashboard reads and sets the facts that it declares, with their types', () => {
  const view = new View([imageFacts])
  const { values, set } = view.facts(imageFacts)
  const layout: 'cards' | 'grid' = values.layout
  expect([layout, values.chosen]).toEqual(['cards', []])
  const seen: string[] = []
  const stop = $effect.root(() => {
    $effect(() => {
      seen.push(values.layout)
    })
  })
  flushSync()
  set('chosen', ['a'])
  flushSync()
  set('layout', 'grid')
  flushSync()
  expect(seen).toEqual(['cards', 'grid'])
  expect(view.whole).toMatchObject({ 'images.layout': 'grid', 'images.tag': ['a'], tab: 'scalars' })
  // @ts-expect-error: not one of its values
  set('layout', 'list')
  stop()
})

test('facts that no dashboard declares are refused', () => {
  expect(() => new View().facts(imageFacts)).toThrow('no dashboard declares these facts: layout, chosen')
})
