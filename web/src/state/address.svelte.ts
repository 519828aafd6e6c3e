// The address in the browser's bar: follows the view as it changes, and sets it when the user goes back.
import type { Parameters } from '../lib/query'
import { isTensorBoards, type LinkValues } from './link'
import type { View } from './view.svelte'

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

/** A filter that is typed without a longer pause is one step back. */
const TYPING_MILLIS = 2_000

// Browsers refuse addresses that change more than a hundred times in half a minute: a burst, then one at a time.
const BURST = 40
const WAIT_MILLIS = 500

export class Address {
  readonly #view: View
  readonly #window: BrowserWindow
  /** Parameters that are not ours. */
  readonly others: Parameters
  /** The view as it was last seen here; the address may still lack what changed continuously. */
  #followed: LinkValues
  #timer: ReturnType<typeof setTimeout> | undefined
  /** When all writes so far would have been made at one every `WAIT_MILLIS`. */
  #paidUntil = -Infinity
  /** The filter that the current entry was made for, and when it last changed. */
  #typing: { readonly fact: string; readonly at: number } | null = null
  // Going back within one view undoes its last discrete change; to another view, everything.
  #viewId = String(Date.now())

  constructor(view: View, window: BrowserWindow) {
    this.#view = view
    this.#window = window
    const link = this.#view.link.read(window.location.search, window.location.hash)
    this.others = link.others
    this.#followed = link.values
    view.whole = link.values
    // The address stays as it is until the user changes something, but TensorBoard's fragments would mislead.
    const { pathname, search, hash } = window.location
    window.history.replaceState(
      this.#viewId,
      '',
      isTensorBoards(hash) ? this.#query(link.values) : pathname + search + hash,
    )
  }

  /** To be called whenever the view changes. */
  follow(values: LinkValues): void {
    const before = this.#followed
    if (values === before) return
    this.#followed = values
    clearTimeout(this.#timer)
    const now = Date.now()
    const changed = this.#view.link.facts.filter(({ name }) => values[name] !== before[name])
    const typed = changed.find(({ history }) => history === 'typing')?.name
    const isTypedOn = typed !== undefined && this.#typing?.fact === typed && now - this.#typing.at < TYPING_MILLIS
    const isStep = changed.some(({ history }) => history === 'step')
    if (typed !== undefined) this.#typing = { fact: typed, at: now }
    else if (isStep) this.#typing = null
    if (isStep || (typed !== undefined && !isTypedOn)) {
      // What the entry that is left had not been given yet.
      this.#replace(before)
      this.#push(values)
      return
    }
    const rest = this.#paidUntil - BURST * WAIT_MILLIS - now
    // At once where it can be: a reloaded page has what was changed before.
    if (rest <= 0) this.flush()
    else
      this.#timer = setTimeout(() => {
        this.flush()
      }, rest)
  }

  /** Another view altogether, such as one that was saved. */
  open(query: string): void {
    this.flush()
    this.#typing = null
    this.#viewId = String(Date.now() + Math.random())
    const { values } = this.#view.link.read(query)
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
    return this.#view.link.write({ values: this.#view.whole, others: [] })
  }

  /** Writes the view into the address at once. */
  flush(): void {
    clearTimeout(this.#timer)
    this.#followed = this.#view.whole
    this.#replace(this.#followed)
  }

  /** After the browser went back or forward. */
  goBack(): void {
    clearTimeout(this.#timer)
    this.#typing = null
    const { values } = this.#view.link.read(this.#window.location.search, this.#window.location.hash)
    const state: unknown = this.#window.history.state
    if (state === this.#viewId) {
      const { whole } = this.#view
      const steps = this.#view.link.facts.filter(({ history }) => history !== undefined)
      const undone = Object.fromEntries(steps.map(({ name }) => [name, values[name]]))
      // A window in the units of another axis means nothing.
      const isSameAxis = JSON.stringify(values.x) === JSON.stringify(whole.x)
      this.#followed = { ...whole, ...undone, window: isSameAxis ? whole.window : values.window }
    } else {
      this.#viewId = typeof state === 'string' ? state : this.#viewId
      this.#followed = values
    }
    this.#view.whole = this.#followed
    this.flush()
  }

  #replace(values: LinkValues): void {
    const query = this.#query(values)
    const { pathname, search, hash } = this.#window.location
    const isSame = query === pathname + search + hash && this.#window.history.state === this.#viewId
    if (isSame) return
    this.#count()
    this.#window.history.replaceState(this.#viewId, '', query)
  }

  #push(values: LinkValues): void {
    this.#followed = values
    this.#count()
    this.#window.history.pushState(this.#viewId, '', this.#query(values))
  }

  #count(): void {
    this.#paidUntil = Math.max(this.#paidUntil, Date.now()) + WAIT_MILLIS
  }

  #query(values: LinkValues): string {
    const { pathname, hash } = this.#window.location
    return pathname + this.#view.link.write({ values, others: this.others }) + (isTensorBoards(hash) ? '' : hash)
  }
}
