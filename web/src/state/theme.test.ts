// The theme in force, against a system that changes its mind and a person who does not.
import { describe, expect, test } from 'vitest'
import { Settings } from './settings.svelte'
import { Theme, type DarkQuery } from './theme.svelte'

class System implements DarkQuery {
  matches = false
  #listener: () => void = () => undefined
  addEventListener(_name: string, listener: unknown): void {
    this.#listener = listener as () => void
  }
  becomeDark(matches: boolean): void {
    this.matches = matches
    this.#listener()
  }
}

function storage(): { kept: Map<string, string>; get: () => Storage } {
  const kept = new Map<string, string>()
  const memory = {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => {
      kept.set(key, value)
    },
  }
  return { kept, get: () => memory as unknown as Storage }
}

describe('the theme', () => {
  test('is what the system asks for, and follows it', () => {
    const system = new System()
    const theme = new Theme(new Settings(storage().get), system)
    expect(theme.current).toBe('light')
    system.becomeDark(true)
    expect(theme.current).toBe('dark')
  })

  test('stays as chosen, also in the next page', () => {
    const system = new System()
    const memory = storage()
    const theme = new Theme(new Settings(memory.get), system)
    theme.toggle()
    expect(theme.current).toBe('dark')
    system.becomeDark(true)
    system.becomeDark(false)
    expect(theme.current).toBe('dark')
    expect(new Theme(new Settings(memory.get), system).current).toBe('dark')
  })

  test('follows the system again once it is the same', () => {
    const system = new System()
    const settings = new Settings(storage().get)
    const theme = new Theme(settings, system)
    theme.toggle()
    theme.toggle()
    expect(settings.values.theme).toBe('system')
    system.becomeDark(true)
    expect(theme.current).toBe('dark')
  })

  test('can be chosen where nothing can be kept', () => {
    const blocked = (): Storage => {
      throw new DOMException('blocked', 'SecurityError')
    }
    const theme = new Theme(new Settings(blocked), new System())
    theme.toggle()
    expect(theme.current).toBe('dark')
  })
})
