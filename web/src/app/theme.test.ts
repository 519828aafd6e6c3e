// The theme follows the system until someone chooses, and a choice survives a reload.
import { expect, test } from 'vitest'
import { themeSwitch, type DarkQuery, type Memory } from './theme'

class System implements DarkQuery {
  #listeners: (() => void)[] = []
  constructor(public matches: boolean) {}
  addEventListener(_type: string, listener: unknown): void {
    this.#listeners.push(listener as () => void)
  }
  change(dark: boolean): void {
    this.matches = dark
    for (const listener of this.#listeners) listener()
  }
}

class Notebook implements Memory {
  stored = new Map<string, string>()
  getItem = (key: string): string | null => this.stored.get(key) ?? null
  setItem = (key: string, value: string): void => void this.stored.set(key, value)
  removeItem = (key: string): void => void this.stored.delete(key)
}

function open(dark: boolean, memory: () => Memory = () => new Notebook()) {
  const root = { dataset: {} } as HTMLElement
  const system = new System(dark)
  return { root, system, theme: themeSwitch(root, system, memory) }
}

test.each([
  [false, 'light'],
  [true, 'dark'],
])('without a choice the system decides (dark: %s)', (dark, expected) => {
  const { root } = open(dark)
  expect(root.dataset.theme).toBe(expected)
})

test('without a choice a change of the system is followed and announced', () => {
  const { root, system, theme } = open(false)
  const seen: string[] = []
  const stop = theme.subscribe((now) => seen.push(now))
  system.change(true)
  stop()
  system.change(false)
  expect(root.dataset.theme).toBe('light')
  expect(seen).toEqual(['light', 'dark'])
})

test('a choice outlives the page and outranks the system', () => {
  const notebook = new Notebook()
  open(false, () => notebook).theme.toggle()
  const reopened = open(false, () => notebook)
  expect(reopened.root.dataset.theme).toBe('dark')
  reopened.system.change(true)
  reopened.system.change(false)
  expect(reopened.root.dataset.theme).toBe('dark')
})

test('choosing what the system asks for lets the system lead again', () => {
  const notebook = new Notebook()
  const { root, system, theme } = open(false, () => notebook)
  theme.toggle()
  theme.toggle()
  expect(notebook.stored.size).toBe(0)
  system.change(true)
  expect(root.dataset.theme).toBe('dark')
})

test('a stored word that is no theme is ignored', () => {
  const notebook = new Notebook()
  notebook.setItem('kymograph.theme', 'sepia')
  expect(open(true, () => notebook).root.dataset.theme).toBe('dark')
})

test('toggling works where site data is blocked', () => {
  const { root, theme } = open(false, () => {
    throw new DOMException('denied', 'SecurityError')
  })
  theme.toggle()
  expect(root.dataset.theme).toBe('dark')
})
