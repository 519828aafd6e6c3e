// Light or dark: the person's choice if there is one, otherwise what the system asks for, followed as it changes.

export type Theme = 'light' | 'dark'

/** Where a choice is remembered; reading and writing may throw (blocked site data, sandboxed frames). */
export type Memory = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>

/** The part of a `prefers-color-scheme: dark` media query that is needed here. */
export type DarkQuery = Pick<MediaQueryList, 'matches' | 'addEventListener'>

/** A Svelte store of the theme in force, which can be switched. */
export interface ThemeSwitch {
  /** Calls `listener` now and after each change, until the returned function is called. */
  subscribe(listener: (theme: Theme) => void): () => void
  /** Goes to the other theme. Choosing what the system asks for forgets the choice, so the system leads again. */
  toggle(): void
}

const KEY = 'kymograph.theme'

/** Every theme is written to `root` as `data-theme`, the attribute that the design tokens are keyed on. */
export function themeSwitch(root: HTMLElement, system: DarkQuery, memory: () => Memory): ThemeSwitch {
  const listeners = new Set<(theme: Theme) => void>()
  let chosen = recall(memory)

  const asked = (): Theme => (system.matches ? 'dark' : 'light')
  const current = (): Theme => chosen ?? asked()
  const apply = (): void => {
    root.dataset.theme = current()
    for (const listener of listeners) listener(current())
  }

  system.addEventListener('change', apply)
  apply()
  return {
    subscribe(listener) {
      listeners.add(listener)
      listener(current())
      return () => listeners.delete(listener)
    },
    toggle() {
      const next: Theme = current() === 'dark' ? 'light' : 'dark'
      chosen = next === asked() ? undefined : next
      remember(memory, chosen)
      apply()
    },
  }
}

/** The switch of this browser window. */
export function browserTheme(): ThemeSwitch {
  return themeSwitch(
    document.documentElement,
    matchMedia('(prefers-color-scheme: dark)'),
    () => localStorage,
  )
}

function recall(memory: () => Memory): Theme | undefined {
  try {
    const stored = memory().getItem(KEY)
    return stored === 'light' || stored === 'dark' ? stored : undefined
  } catch {
    return undefined
  }
}

function remember(memory: () => Memory, theme: Theme | undefined): void {
  try {
    if (theme === undefined) memory().removeItem(KEY)
    else memory().setItem(KEY, theme)
  } catch {
    // The choice then lasts as long as the page.
  }
}
