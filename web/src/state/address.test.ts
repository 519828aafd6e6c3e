// The address and the view, each following the other.
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { Address, type BrowserWindow } from './address.svelte'
import { flag, one, word } from '../lib/query'
import { View } from './view.svelte'

/** A browser's history that can be looked into. */
class Browser implements BrowserWindow {
  entries: { state: unknown; url: URL }[]
  at = 0
  changes = 0

  constructor(address: string) {
    this.entries = [{ state: null, url: new URL(address, 'http://host') }]
  }

  get #entry(): { state: unknown; url: URL } {
    return this.entries[this.at] ?? { state: null, url: new URL('http://host') }
  }

  get location(): URL {
    return this.#entry.url
  }

  get shown(): string {
    return this.location.pathname + this.location.search + this.location.hash
  }

  get history(): BrowserWindow['history'] {
    const entry = (state: unknown, url: unknown): { state: unknown; url: URL } => ({
      state,
      url: new URL(String(url), this.location),
    })
    return {
      state: this.#entry.state,
      pushState: (state, _title, url) => {
        this.changes++
        this.entries = [...this.entries.slice(0, ++this.at), entry(state, url)]
      },
      replaceState: (state, _title, url) => {
        this.changes++
        this.entries[this.at] = entry(state, url)
      },
    }
  }
}

function open(address: string): { browser: Browser; view: View; at: Address; set: View['set'] } {
  const browser = new Browser(address)
  const view = new View()
  const at = new Address(view, browser)
  return {
    browser,
    view,
    at,
    set: (name, value) => {
      view.set(name, value)
      at.follow(view.whole)
    },
  }
}

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

describe('the address', () => {
  test('is read at the start, and keeps what is not ours', () => {
    const { browser, view, set } = open('/user/x/?theirs=1&smoothing=0.9')
    expect(view.values.smoothing).toBe('ema:0.9')
    set('tagFilter', 'loss')
    vi.runAllTimers()
    expect(browser.shown).toBe('/user/x/?tagFilter=loss&smoothing=0.9&theirs=1')
  })

  test('loses the fragment of a link to TensorBoard', () => {
    const { browser, view } = open('/#images')
    expect(view.values.dashboard).toBe('images')
    expect(browser.shown).toBe('/?tab=images')
  })

  test('keeps a fragment that is not ours', () => {
    expect(open('/?tagFilter=a#loss').browser.shown).toBe('/?tagFilter=a#loss')
  })

  test('follows a burst of changes at once, and more of them slowly', () => {
    const { browser, set } = open('/')
    for (const text of ['l', 'lo', 'loss']) set('tagFilter', text)
    expect(browser.shown).toBe('/?tagFilter=loss')
    for (let typed = 0; typed < 200; typed++) set('tagFilter', `loss ${String(typed)}`)
    expect(browser.changes).toBeLessThan(100)
    vi.runAllTimers()
    expect(new URLSearchParams(browser.location.search).get('tagFilter')).toBe('loss 199')
    expect(browser.entries).toHaveLength(2)
  })

  test('goes back over filters, axes and scales one by one, and leaves zoom and smoothing', () => {
    const { browser, view, at, set } = open('/')
    for (const text of ['l', 'lo', 'loss']) set('tagFilter', text)
    set('x', 'wall_time')
    set('window', [1, 2])
    set('yScale', 'log')
    set('smoothing', 'ema:0.9')
    expect(browser.entries).toHaveLength(4)
    const back = (): void => {
      browser.at--
      at.goBack()
    }
    back()
    expect(view.values).toMatchObject({ yScale: 'linear', x: 'wall_time', window: [1, 2], smoothing: 'ema:0.9' })
    back()
    expect(view.values).toMatchObject({ tagFilter: 'loss', x: 'step', window: null })
    back()
    expect(view.values).toMatchObject({ tagFilter: '', smoothing: 'ema:0.9' })
    browser.at = 3
    at.goBack()
    expect(view.values).toMatchObject({ tagFilter: 'loss', x: 'wall_time', yScale: 'log' })
  })

  test('starts another step back when a filter is changed after a pause', () => {
    const { browser, set } = open('/')
    set('runFilter', 'a')
    vi.advanceTimersByTime(5_000)
    set('runFilter', 'ab')
    expect(browser.entries).toHaveLength(3)
  })

  test('starts another step back when something else was changed since the filter', () => {
    const { browser, view, at, set } = open('/')
    set('tagFilter', 'l')
    set('x', 'wall_time')
    set('tagFilter', 'lo')
    expect(browser.entries).toHaveLength(4)
    browser.at--
    at.goBack()
    expect(view.values).toMatchObject({ tagFilter: 'l', x: 'wall_time' })
  })

  test('goes back to the previous place, and keeps the smoothing chosen since', () => {
    const { browser, view, at, set } = open('/')
    set('full', 'scalars:loss')
    set('smoothing', 'ema:0.9')
    expect(browser.entries).toHaveLength(2)
    browser.at = 0
    at.goBack()
    expect(view.values).toMatchObject({ full: null, smoothing: 'ema:0.9' })
    expect(browser.shown).toBe('/?smoothing=0.9')
    browser.at = 1
    at.goBack()
    expect(view.values.full).toBe('scalars:loss')
  })

  test('goes back from another view to the whole of the former', () => {
    const { browser, view, at, set } = open('/?theirs=1')
    set('smoothing', 'ema:0.9')
    at.open('?tagFilter=acc')
    expect(view.values).toMatchObject({ tagFilter: 'acc', smoothing: 'ema:0.6' })
    expect(browser.shown).toBe('/?tagFilter=acc&theirs=1')
    browser.at = 0
    at.goBack()
    expect(view.values).toMatchObject({ tagFilter: '', smoothing: 'ema:0.9' })
  })

  test('goes back over the facts of a dashboard that are steps, and resets all of them', () => {
    const facts = {
      layout: one('images.layout', word('cards', 'grid'), 'cards', { history: 'step' }),
      isSharp: flag('images.sharp'),
    }
    const browser = new Browser('/?images.layout=grid')
    const view = new View([facts])
    const at = new Address(view, browser)
    const { values, set } = view.facts(facts)
    expect(values.layout).toBe('grid')
    set('layout', 'cards')
    at.follow(view.whole)
    set('isSharp', true)
    at.follow(view.whole)
    vi.runAllTimers()
    expect([browser.shown, browser.entries.length]).toEqual(['/?images.sharp=1', 2])
    browser.at = 0
    at.goBack()
    expect({ ...values }).toEqual({ layout: 'grid', isSharp: true })
    const saved = at.query()
    at.open('')
    expect({ ...values }).toEqual({ layout: 'cards', isSharp: false })
    at.open(saved)
    expect({ ...values }).toEqual({ layout: 'grid', isSharp: true })
  })

  test('is a link without what is not ours', () => {
    const { at, set } = open('/b/?token2=secret')
    set('tagFilter', 'loss')
    expect(at.link()).toBe('http://host/b/?tagFilter=loss')
  })
})
