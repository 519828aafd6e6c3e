// What the cards on the screen draw: one question for all of them at a time, kept up to date as runs grow.
import type { Range } from '../lib/numbers'
import type { BandColumns, Neighbour, Trace } from '../lib/traces'
import { RequestError, type Client } from '../api/client'
import type { Changed } from '../api/live'
import type { Board } from './board.svelte'
import { firstBatch, question, take, type Batch } from './lines/batch'
import { isSmoothedHere } from './lines/smoothed'
import { Shelves, type Plan, type Slot } from './lines/shelves'
import { Repeat } from './repeat'
import type { XAxis } from './view.svelte'

/** One plot's worth of lines, as `POST /scalars/series` takes it. */
export interface Ask {
  /** A tag or an expression. */
  readonly source: { readonly tag: string } | { readonly expression: string }
  readonly runs: readonly string[]
  /** Bands instead of lines. */
  readonly groups: readonly { readonly name: string; readonly runs: readonly string[] }[] | null
  readonly x: XAxis
  /** The part that is shown; more is asked for, so that moving it a little needs no other answer. */
  readonly range: Range | null
  /** Device pixels across the plot. */
  readonly columns: number
  readonly smoothing: string
  readonly bootstrap: 'mean' | 'median' | 'iqm' | null
}

/** A line as the server sent it: views on its columns. With every point there, exponential smoothing is made here. */
export interface LoadedLine {
  readonly run: string
  /** The tag or the expression. */
  readonly tag: string
  readonly data: Trace
  readonly before: Neighbour | null
  readonly after: Neighbour | null
  /** Points of the whole series, and of the range that was asked for. */
  readonly points: number
  readonly pointsInRange: number
  readonly change: number
  readonly generation: number
}

export interface LoadedBand extends BandColumns {
  readonly group: string
  readonly tag: string
}

/** What a card has to draw now. */
export interface Loaded {
  readonly asks: readonly Ask[]
  readonly lines: readonly LoadedLine[]
  readonly bands: readonly LoadedBand[]
  /** Points per drawn entry, for the label `12:1`; 1 when every point is there. */
  readonly ratio: number
  /** Why there is no newer answer; what was drawn stays. */
  readonly trouble: string | null
  /** Whether the answer is to the asks of now. */
  readonly isCurrent: boolean
}

/** A card's standing question. */
export interface Watch {
  /** Asks for something else; what is the same as before costs nothing. */
  ask(asks: readonly Ask[]): void
  /** A card that is not on the screen is not kept up to date. `top` is where it is on the page: the uppermost is answered first. */
  setVisible(isVisible: boolean, top?: number): void
  stop(): void
}

/** What `state/lines` offers: listeners are called at most once per answer. */
export interface LinesApi {
  watch(listener: (loaded: Loaded) => void): Watch
}

const REST_MILLIS = 120
const MOST_NUMBERS = 8_000_000
// An answer that nobody waits for any more is still shown if it comes soon: a slider that is dragged then moves the lines.
const SOON_MILLIS = 400

export class Lines implements LinesApi {
  /** When the first question is answered. */
  readonly answered: Promise<void>
  #tellAnswered: () => void = () => undefined
  readonly #client: Client
  readonly #board: Board
  readonly #shelves = new Shelves()
  readonly #watches = new Set<CardWatch>()
  readonly #asks: Repeat
  readonly #live: Repeat
  #instance: string | null = null
  /** Counts the servers that were met. */
  #epoch = 0
  /** The last change of each run, of its tags, and of all that were not named. */
  readonly #changes = new Map<string, number>()
  readonly #tagChanges = new Map<string, number>()
  #allChange = -1
  #asking: { readonly slots: ReadonlySet<Slot>; readonly begun: number; readonly stop: AbortController } | null = null
  #trouble: string | null = null
  #clock = 0
  #isTelling = false

  constructor(client: Client, board: Board) {
    this.#client = client
    this.#board = board
    this.answered = new Promise((resolve) => {
      this.#tellAnswered = resolve
    })
    this.#asks = new Repeat(
      () => this.#askWanted(),
      0,
      (error) => {
        this.#fail(error)
      },
      0,
    )
    this.#live = new Repeat(
      () => this.#askStale(),
      REST_MILLIS,
      (error) => {
        board.report('new points of lines', error)
      },
    )
    board.listen({
      changed: (changed) => {
        this.#hear(changed)
      },
      reset: () => {
        this.#meet(null)
      },
    })
  }

  watch(listener: (loaded: Loaded) => void): Watch {
    const watch = new CardWatch(listener, this.#shelves, (isStopped) => {
      if (isStopped) this.#watches.delete(watch)
      this.#changedAsks()
    })
    this.#watches.add(watch)
    return watch
  }

  #changedAsks(): void {
    this.#tellSoon()
    if (this.#asking !== null && Date.now() - this.#asking.begun > SOON_MILLIS) {
      const { slots, stop } = this.#asking
      if (!this.#visibleSlots().some((slot) => slots.has(slot))) stop.abort()
    }
    this.#asks.want()
    this.#live.want()
  }

  #hear({ change, runs, tags, removed, all }: Changed): void {
    for (const run of runs) this.#changes.set(run, change)
    for (const run of tags) this.#tagChanges.set(run, change)
    for (const run of removed) {
      this.#shelves.remove(run)
      this.#changes.set(run, change)
    }
    if (all) this.#allChange = change
    this.#askRefused(new Set([...tags, ...removed]), all)
    this.#tellSoon()
    this.#asks.want()
    this.#live.want()
  }

  /** Other tags may make a question right that was wrong; more points do not. */
  #askRefused(runs: ReadonlySet<string>, all: boolean): void {
    for (const watch of this.#watches) {
      const refused = watch.slots().filter((slot) => slot.trouble !== null)
      const isAffected =
        all || refused.some((slot) => (slot.group?.runs ?? [slot.run ?? '']).some((run) => runs.has(run)))
      if (isAffected) for (const slot of refused) slot.epoch = -1
    }
  }

  /** What other servers said stays on the screen, and is asked for again. */
  #meet(instance: string | null): void {
    this.#instance = instance
    this.#epoch++
    this.#changes.clear()
    this.#tagChanges.clear()
    this.#allChange = -1
    this.#asks.want()
  }

  #visibleSlots(): Slot[] {
    const visible = [...this.#watches].filter((watch) => watch.isVisible).sort((a, b) => a.top - b.top)
    return [...new Set(visible.flatMap((watch) => watch.slots()))]
  }

  #isStale(slot: Slot): boolean {
    if (slot.epoch !== this.#epoch || slot.trouble !== null) return false
    if (slot.asOf < this.#allChange) return true
    const changes = slot.isMissing ? this.#tagChanges : this.#changes
    const runs = slot.group?.runs ?? [slot.run ?? '']
    return runs.some((run) => slot.asOf < (changes.get(run) ?? -1))
  }

  async #askWanted(): Promise<void> {
    for (;;) {
      const batch = firstBatch(this.#visibleSlots().filter((slot) => slot.epoch !== this.#epoch))
      if (batch.size === 0) break
      const stop = new AbortController()
      this.#asking = { slots: new Set([...batch.values()].flat()), begun: Date.now(), stop }
      try {
        await this.#askBatch(batch, null, stop.signal)
      } catch (error) {
        if (!stop.signal.aborted) throw error
      } finally {
        this.#asking = null
      }
    }
  }

  async #askStale(): Promise<void> {
    for (;;) {
      const batch = firstBatch(this.#visibleSlots().filter((slot) => this.#isStale(slot)))
      if (batch.size === 0) break
      await this.#askBatch(batch, this.#instance)
    }
  }

  /** Asks; if the question is refused, card by card, so that one that is wrong does not stop the others. */
  async #askBatch(batch: Batch, instance: string | null, signal?: AbortSignal): Promise<void> {
    const epoch = this.#epoch
    try {
      const answer = await this.#client.series(question(batch, instance), signal)
      // An answer of the server before this one says nothing of now.
      if (epoch !== this.#epoch) return
      if (this.#instance === null) this.#instance = answer.instance
      else if (this.#instance !== answer.instance) this.#meet(answer.instance)
      take(batch, answer, this.#epoch)
      this.#trouble = null
      this.#tellAnswered()
      this.#forget()
      this.#tellSoon()
    } catch (error) {
      if (!(error instanceof RequestError) || !isRefusal(error.status)) throw error
      const cards = [...batch]
      if (cards.length > 1) {
        const middle = cards.length >> 1
        await this.#askBatch(new Map(cards.slice(0, middle)), instance, signal)
        await this.#askBatch(new Map(cards.slice(middle)), instance, signal)
      } else this.#refuse(batch, error.message)
    }
  }

  #refuse(batch: Batch, trouble: string): void {
    for (const [shelf, slots] of batch) {
      shelf.trail.version++
      for (const slot of slots) Object.assign(slot, { epoch: this.#epoch, trouble })
    }
    this.#tellSoon()
  }

  #fail(error: unknown): void {
    this.#board.report('lines', error)
    this.#trouble = error instanceof Error ? error.message : null
    this.#tellSoon()
  }

  #forget(): void {
    const now = ++this.#clock
    for (const watch of this.#watches) for (const slot of watch.slots()) slot.usedAt = now
    this.#shelves.trim(MOST_NUMBERS, now)
  }

  /** Tells the cards what there is for them, once for all that happens now. */
  #tellSoon(): void {
    if (this.#isTelling) return
    this.#isTelling = true
    queueMicrotask(() => {
      this.#isTelling = false
      for (const watch of [...this.#watches]) watch.tell(this.#trouble)
    })
  }
}

/** The question is wrong, and will be wrong again as long as the tags are the same. */
function isRefusal(status: number): boolean {
  return status === 400 || status === 404 || status === 413 || status === 422
}

class CardWatch implements Watch {
  isVisible = true
  top = 0
  #plans: readonly Plan[] = []
  #loaded: Loaded | null = null
  /** What `#loaded` was made from. */
  #versions: readonly number[] = []
  #isChanged = false
  readonly #listener: (loaded: Loaded) => void
  readonly #shelves: Shelves
  readonly #changed: (isStopped: boolean) => void

  constructor(listener: (loaded: Loaded) => void, shelves: Shelves, changed: (isStopped: boolean) => void) {
    this.#listener = listener
    this.#shelves = shelves
    this.#changed = changed
  }

  ask(asks: readonly Ask[]): void {
    const lines = asks.reduce((sum, { runs, groups }) => sum + (groups ?? runs).length, 0)
    this.#plans = asks.map((ask) => this.#shelves.plan(ask, lines))
    this.#isChanged = true
    this.#changed(false)
  }

  setVisible(isVisible: boolean, top = 0): void {
    this.top = top
    if (isVisible === this.isVisible) return
    this.isVisible = isVisible
    if (isVisible) this.#changed(false)
  }

  stop(): void {
    this.#plans = []
    this.#changed(true)
  }

  slots(): Slot[] {
    return this.#plans.flatMap(slotsOf)
  }

  /** Tells the listener, if there is something else than last time. */
  tell(trouble: string | null): void {
    const versions = this.#plans.map(({ shelf }) => shelf.trail.version)
    const isSame = !this.#isChanged && versions.every((version, at) => version === this.#versions[at])
    if (isSame && (this.#loaded === null || this.#loaded.isCurrent || this.#loaded.trouble === trouble)) return
    this.#isChanged = false
    this.#versions = versions
    this.#loaded = this.#compose(trouble)
    this.#listener(this.#loaded)
  }

  #compose(trouble: string | null): Loaded {
    const lines: LoadedLine[] = []
    const bands: LoadedBand[] = []
    let isCurrent = true
    let refusal: string | null = null
    for (const plan of this.#plans) {
      const { smoothing } = plan.ask
      for (const slot of slotsOf(plan)) {
        // What was there before is drawn until there is something better.
        const isThere = slot.epoch >= 0
        const shown = isThere ? slot : slot.shelf.trail.last.get(slot.run ?? slot.group?.name ?? '')
        if (!isThere) isCurrent = false
        refusal ??= slot.trouble
        if (shown?.line)
          lines.push(shown.smoothed.of(shown.line, isSmoothedHere(smoothing) ? smoothing : shown.shelf.ask.smoothing))
        if (shown?.band) bands.push(shown.band)
      }
    }
    const asks = this.#plans.map((plan) => plan.ask)
    const before = this.#loaded
    // That somebody else's question failed is of no concern to a card that has everything.
    const said = refusal ?? (isCurrent ? null : trouble)
    if (!isCurrent && lines.length + bands.length === 0 && before !== null)
      return { ...before, trouble: said, isCurrent }
    return { asks, lines, bands, ratio: ratio(lines), trouble: said, isCurrent }
  }
}

function slotsOf({ ask, shelf }: Plan): Slot[] {
  return ask.groups === null ? ask.runs.map((run) => shelf.ofRun(run)) : ask.groups.map((group) => shelf.ofGroup(group))
}

function ratio(lines: readonly LoadedLine[]): number {
  let [points, entries] = [0, 0]
  for (const { data, pointsInRange } of lines) {
    points += data.kind === 'points' ? data.x.length : pointsInRange
    entries += data.kind === 'points' ? data.x.length : data.xFirst.length
  }
  return entries === 0 ? 1 : Math.max(1, points / entries)
}
