// Light or dark: the person's choice if there is one, otherwise what the system asks for, followed as it changes.
import type { Printing } from './printing.svelte'
import type { Settings } from './settings.svelte'

/** The part of a `prefers-color-scheme: dark` media query that is needed here. */
export type DarkQuery = Pick<MediaQueryList, 'matches' | 'addEventListener'>

export class Theme {
  readonly #settings: Settings
  readonly #printing: Pick<Printing, 'isOn'>
  #asked = $state<'light' | 'dark'>('light')

  constructor(settings: Settings, system: DarkQuery, printing: Pick<Printing, 'isOn'> = { isOn: false }) {
    this.#settings = settings
    this.#printing = printing
    const follow = (): void => {
      this.#asked = system.matches ? 'dark' : 'light'
    }
    system.addEventListener('change', follow)
    follow()
  }

  /** As if the system asked for it, until that changes. */
  ask(theme: 'light' | 'dark'): void {
    this.#asked = theme
  }

  /** The one in force; paper is light. */
  get current(): 'light' | 'dark' {
    if (this.#printing.isOn) return 'light'
    const chosen = this.#settings.values.theme
    return chosen === 'system' ? this.#asked : chosen
  }

  /** Switches to the other theme. Choosing the one the system prefers follows the system again. */
  toggle(): void {
    const next = this.current === 'dark' ? 'light' : 'dark'
    this.#settings.set('theme', next === this.#asked ? 'system' : next)
  }
}
