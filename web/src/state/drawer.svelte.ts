// The panel at the right: what it shows, and whether it is open.
import type { Snippet } from 'svelte'
import type { Settings } from './settings.svelte'

export interface Panel {
  readonly title: string
  readonly content: Snippet
  /** Called when the user closes it. */
  readonly closed?: () => void
}

export class Drawer {
  readonly #settings: Settings
  #panels = $state.raw<readonly Panel[]>([])

  constructor(settings: Settings) {
    this.#settings = settings
  }

  /** The one on top; null when there is nothing to show. */
  readonly panel = $derived<Panel | null>(this.#panels.at(-1) ?? null)

  get isOpen(): boolean {
    return this.#settings.values.isDrawerOpen && this.panel !== null
  }

  /** Something to show whenever the drawer is open, such as the settings of a dashboard; until the returned function is called. */
  offer(panel: Panel): () => void {
    this.#panels = [panel, ...this.#panels]
    return () => {
      this.#remove(panel)
    }
  }

  /** Opens with this on top, such as the details of a run; closing goes back to what was there. */
  show(panel: Panel): () => void {
    this.#panels = [...this.#panels.filter((other) => other.title !== panel.title), panel]
    const wasOpen = this.#settings.values.isDrawerOpen
    this.#settings.set('isDrawerOpen', true)
    this.#opened.set(panel, wasOpen)
    return () => {
      this.#remove(panel)
    }
  }

  /** Takes away what was put on top, or closes. */
  close(): void {
    const panel = this.panel
    const wasOpen = panel === null ? undefined : this.#opened.get(panel)
    if (panel !== null && wasOpen !== undefined) this.#remove(panel)
    if (wasOpen !== true) this.#settings.set('isDrawerOpen', false)
    panel?.closed?.()
  }

  toggle(): void {
    if (this.isOpen) this.close()
    else this.#settings.set('isDrawerOpen', true)
  }

  /** Panels that were put on top → whether the drawer was open before. */
  readonly #opened = new Map<Panel, boolean>()

  #remove(panel: Panel): void {
    this.#opened.delete(panel)
    this.#panels = this.#panels.filter((other) => other !== panel)
  }
}
