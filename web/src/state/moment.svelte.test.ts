import { beforeEach, describe, expect, it } from 'vitest'
import { CursorHub } from './cursor'
import { Moments } from './moment.svelte'
import type { Entry } from './runs.svelte'
import { View } from './view.svelte'

const entry = (name: string): Entry => ({ name, run: {} as Entry['run'], parts: [] })

let view: View
let cursor: CursorHub
let shown: Entry[]
let moments: Moments

beforeEach(() => {
  view = new View()
  cursor = new CursorHub()
  shown = [entry('a'), entry('b')]
  moments = new Moments({
    view,
    cursor,
    selection: {
      get shown() {
        return shown
      },
      highlighted: null,
    },
    runs: { entries: [] },
  })
})

const pointAt = (card: string, nearest: string, x: number): void => {
  cursor.move({ at: { axis: 'step', x }, card, values: new Map(), nearest })
}

describe('the moment that is shown', () => {
  it('is a run at the cursor that all tabs share', () => {
    moments.open({ run: 'a', step: 27_520, tag: 'train/loss' })
    expect(view.values.selected).toEqual({ from: 27_520, to: null })
    expect(moments.shown).toEqual({ run: 'a', step: 27_520, tag: 'train/loss' })
    expect(moments.isFull).toBe(true)
    moments.go(27_530)
    expect(moments.shown?.step).toBe(27_530)
    moments.go(null)
    expect(moments.shown?.step).toBeNull()
  })

  it('leaves the cursor where it is when it is closed, and nothing else', () => {
    moments.open({ run: 'a', step: 5, tag: 'x' })
    view.set('momentReference', 3)
    moments.close()
    expect(moments.shown).toBeNull()
    expect(view.values).toMatchObject({ momentTag: null, momentReference: null, selected: { from: 5, to: null } })
  })

  it('keeps the reference for the same run only', () => {
    moments.open({ run: 'a', step: 5, tag: null })
    view.set('momentReference', 3)
    moments.open({ run: 'a', step: 6, tag: null })
    expect(view.values.momentReference).toBe(3)
    moments.open({ run: 'b', step: 6, tag: null })
    expect(view.values.momentReference).toBeNull()
  })

  it('opens a tab at the same cursor; a tab that is chosen leaves the panel open', () => {
    moments.open({ run: 'a', step: 5, tag: null })
    moments.openTab('images')
    expect(view.values).toMatchObject({ dashboard: 'images', momentRun: null, selected: { from: 5, to: null } })
    moments.open({ run: 'a', step: 5, tag: null }, 'panel')
    expect([moments.isFull, moments.isPanel]).toEqual([false, true])
    moments.closeView()
    expect(moments.isPanel).toBe(true)
  })

  it('is that of the run nearest to the pointer', () => {
    expect(moments.here()).toEqual({ run: 'a', step: null, tag: null })
    pointAt('scalars:val/acc', 'b', 120)
    expect(moments.here()).toEqual({ run: 'b', step: 120, tag: 'val/acc' })
    cursor.leave()
    view.set('selected', { from: 7, to: 9 })
    expect(moments.here()).toEqual({ run: 'a', step: 7, tag: null })
  })

  it('is where the pointer was before it went to the menu of the card', () => {
    pointAt('scalars:loss', 'b', 120)
    cursor.leave()
    expect(moments.hereOn('scalars:loss')).toEqual({ run: 'b', step: 120, tag: 'loss' })
    expect(moments.hereOn('scalars:other')).toEqual({ run: 'a', step: null, tag: 'other' })
    expect(moments.hereOn('images:other')).toEqual({ run: 'a', step: null, tag: null })
    shown = []
    expect(moments.hereOn('images:other')).toBeNull()
  })

  it('takes the step from the clock on an axis of times', () => {
    cursor.move({ at: { axis: 'wall_time', x: 1.7e9 }, card: null, values: new Map(), nearest: 'b', step: 40 })
    expect(moments.here()).toEqual({ run: 'b', step: 40, tag: null })
    cursor.move({ at: { axis: 'wall_time', x: 1.7e9 }, card: null, values: new Map(), nearest: 'b', step: null })
    expect(moments.here()?.step).toBeNull()
  })
})
