// The address in the browser's bar: follows the view as it changes, and sets it when the user goes back.
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

/** Facts that "back" undoes: places and discrete choices. All else, such as zoom and smoothing, stays as it is. */
const TYPED = ['runFilter', 'tagFilter'] as const
const CHOSEN = [
  'dashboard',
  'full',
  'isTable',
  'x',
  'xScale',
  'yScale',
  'yScales',
  'ignoreOutliers',
  'groupBy',
  'colourBy',
  'aggregate',
] as const
const UNDONE = [...TYPED, ...CHOSEN] as const

/** A filter that is typed without a longer pause is one step back. */
const TYPING_MILLIS = 2_000

// Browsers refuse addresses that change more than a hundred times in half a minute.
const WAIT_MILLIS = 400

export class Address {
  readonly #view: View
  readonly #window: BrowserWindow
  /** Parameters that are not ours. */
  readonly others: Parameters
  /** The view as it was last seen here; the address may still lack what changed continuously. */
  #followed: ViewValues
  #timer: ReturnType<typeof setTimeout> | undefined
  #flushed = -Infinity
  /** The filter that the current entry was made for, and when it last changed. */
  #typing: { readonly fact: (typeof TYPED)[number]; readonly at: number } | null = null
  // Going back within one view undoes its last discrete change; to another view, everything.
  #viewId = String(Date.now())

  constructor(view: View, window: BrowserWindow) {
    this.#view = view
    this.#window = window
    const link = readLink(window.location.search, window.location.hash)
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
  follow(values: ViewValues): void {
    const before = this.#followed
    if (values === before) return
    this.#followed = values
    clearTimeout(this.#timer)
    const now = Date.now()
    const typed = TYPED.find((fact) => values[fact] !== before[fact])
    const isTypedOn = typed !== undefined && this.#typing?.fact === typed && now - this.#typing.at < TYPING_MILLIS
    const isChosen = CHOSEN.some((fact) => values[fact] !== before[fact])
    if (typed !== undefined) this.#typing = { fact: typed, at: now }
    if (isChosen || (typed !== undefined && !isTypedOn)) {
      // What the entry that is left had not been given yet.
      this.#replace(before)
      this.#push(values)
      return
    }
    const rest = this.#flushed + WAIT_MILLIS - now
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

  /** Writes the view into the address at once. */
  flush(): void {
    clearTimeout(this.#timer)
    this.#followed = this.#view.whole
    this.#flushed = Date.now()
    this.#replace(this.#followed)
  }

  /** After the browser went back or forward. */
  goBack(): void {
    clearTimeout(this.#timer)
    this.#typing = null
    const { values } = readLink(this.#window.location.search, this.#window.location.hash)
    const state: unknown = this.#window.history.state
    if (state === this.#viewId) {
      const { whole } = this.#view
      const undone = Object.fromEntries(UNDONE.map((fact) => [fact, values[fact]]))
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

  #replace(values: ViewValues): void {
    const query = this.#query(values)
    const { pathname, search, hash } = this.#window.location
    const isSame = query === pathname + search + hash && this.#window.history.state === this.#viewId
    if (!isSame) this.#window.history.replaceState(this.#viewId, '', query)
  }

  #push(values: ViewValues): void {
    this.#followed = values
    this.#flushed = Date.now()
    this.#window.history.pushState(this.#viewId, '', this.#query(values))
  }

  #query(values: ViewValues): string {
    const { pathname, hash } = this.#window.location
    return pathname + writeLink({ values, others: this.others }) + (isTensorBoards(hash) ? '' : hash)
  }
}
