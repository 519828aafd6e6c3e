// The address in the browser's bar: follows the view as it changes, and leads it when a person goes back.
import type { Parameters } from '../lib/query'
import { isTensorBoards, readLink, writeLink } from './link'
import type { View, ViewValues } from './view.svelte'

/** The part of a browser's window that is needed here. */
export interface BrowserWindow {
  readonly location: {
    readonly pathname: string
    readonly search: string
    readonly hash: string
    readonly origin: string
  }
  readonly history: Pick<History, 'state' | 'pushState' | 'replaceState'>
}

/** Where a person is: going there is what "back" goes back from. All else stays as it is. */
const PLACES = ['dashboard', 'full', 'isTable'] as const

// Browsers refuse addresses that change more than a hundred times in half a minute.
const WAIT_MILLIS = 400

export class Address {
  readonly #view: View
  readonly #window: BrowserWindow
  /** Parameters that are not ours. */
  readonly others: Parameters
  /** The view that the address tells. */
  #told: ViewValues
  #timer: ReturnType<typeof setTimeout> | undefined
  #flushed = -Infinity
  // Going back within one view leaves all but the place; to another one, nothing.
  #viewId = String(Date.now())

  constructor(view: View, window: BrowserWindow) {
    this.#view = view
    this.#window = window
    const link = readLink(window.location.search, window.location.hash)
    this.others = link.others
    this.#told = link.values
    view.whole = link.values
    // Nothing of the address changes before a person changes something, but TensorBoard's fragments would mislead.
    const { pathname, search, hash } = window.location
    window.history.replaceState(
      this.#viewId,
      '',
      isTensorBoards(hash) ? this.#query(link.values) : pathname + search + hash,
    )
  }

  /** To be called whenever the view is another one. */
  follow(values: ViewValues): void {
    if (values === this.#told) return
    clearTimeout(this.#timer)
    const rest = this.#flushed + WAIT_MILLIS - Date.now()
    if (PLACES.some((place) => values[place] !== this.#told[place])) this.#push(values)
    // At once where it can be: a page that is loaded again has what was changed before.
    else if (rest <= 0) this.flush()
    else
      this.#timer = setTimeout(() => {
        this.flush()
      }, rest)
  }

  /** Another view altogether, such as one that was saved. */
  open(query: string): void {
    this.flush()
    this.#viewId = String(Date.now() + Math.random())
    const { values } = readLink(query)
    this.#push(values)
    this.#view.whole = values
  }

  /** The address of what is seen now. */
  link(): string {
    this.flush()
    const { origin, pathname } = this.#window.location
    return origin + pathname + this.query()
  }

  /** What is seen now, as `open` takes it. */
  query(): string {
    return writeLink({ values: this.#view.whole, others: [] })
  }

  /** Tells the view at once. */
  flush(): void {
    clearTimeout(this.#timer)
    this.#told = this.#view.whole
    this.#flushed = Date.now()
    this.#window.history.replaceState(this.#viewId, '', this.#query(this.#told))
  }

  /** After the browser went back or forward. */
  goBack(): void {
    clearTimeout(this.#timer)
    const { values } = readLink(this.#window.location.search, this.#window.location.hash)
    const state: unknown = this.#window.history.state
    if (state === this.#viewId) {
      const { dashboard, full, isTable } = values
      this.#told = { ...this.#view.whole, dashboard, full, isTable }
    } else {
      this.#viewId = typeof state === 'string' ? state : this.#viewId
      this.#told = values
    }
    this.#view.whole = this.#told
    this.flush()
  }

  #push(values: ViewValues): void {
    this.#told = values
    this.#window.history.pushState(this.#viewId, '', this.#query(values))
  }

  #query(values: ViewValues): string {
    const { pathname, hash } = this.#window.location
    return pathname + writeLink({ values, others: this.others }) + (isTensorBoards(hash) ? '' : hash)
  }
}
