// Panels beside their anchors, at every edge of the window.
import { describe, expect, test } from 'vitest'
import { place } from './placing'

const WINDOW = { width: 400, height: 300 }

describe('a panel', () => {
  test('is below its button, left edges in line', () => {
    expect(place({ left: 50, right: 80, top: 10, bottom: 36 }, 100, 80, WINDOW)).toEqual({ left: 50, top: 40 })
  })

  test('has right edges in line if asked to', () => {
    expect(place({ left: 250, right: 280, top: 10, bottom: 36 }, 100, 80, WINDOW, 'end')).toEqual({
      left: 180,
      top: 40,
    })
  })

  test('stays in the window sideways', () => {
    expect(place({ left: 390, right: 396, top: 10, bottom: 36 }, 100, 80, WINDOW).left).toBe(292)
    expect(place({ left: 2, right: 20, top: 10, bottom: 36 }, 100, 80, WINDOW, 'end').left).toBe(8)
  })

  test('goes above where there is no room below', () => {
    expect(place({ left: 50, right: 80, top: 250, bottom: 276 }, 100, 80, WINDOW).top).toBe(166)
  })

  test('keeps its top in sight where there is no room at all', () => {
    expect(place({ left: 50, right: 80, top: 100, bottom: 126 }, 100, 500, WINDOW).top).toBe(8)
  })
})
