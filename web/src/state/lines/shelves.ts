// Lines and bands that were asked for, kept as long as somebody may want them again.
import type { SeriesGroup, SeriesX } from '../../api/series'
import type { Range } from '../../lib/numbers'
import type { Ask, LoadedBand, LoadedLine } from '../lines.svelte'
import { detail } from './detail'
import { isSmoothedHere, Smoothed } from './smoothed'

/** The place of one line, or of one band. */
export class Slot {
  line: LoadedLine | null = null
  band: LoadedBand | null = null
  /** Up to which change it is known; -1 before the first answer. */
  asOf = -1
  /** Of which server that is. */
  epoch = -1
  /** The server has no such line. */
  isMissing = false
  /** Whether entry n is point n. */
  isWhole = false
  /** Why it cannot be had. */
  trouble: string | null = null
  usedAt = 0
  readonly smoothed = new Smoothed()

  constructor(
    readonly shelf: Shelf,
    /** Null for a band. */
    readonly run: string | null,
    readonly group: SeriesGroup | null,
  ) {}

  /** Numbers that it holds. */
  get size(): number {
    if (this.band !== null) return 12 * this.band.x.length
    if (this.line === null) return 1
    const { data } = this.line
    return data.kind === 'points' ? 3 * data.x.length : 14 * data.xFirst.length
  }
}

/** The last answer for each run or group, whatever the detail: drawn until there is a better one. */
export class Trail {
  /** Counts the answers. */
  version = 0
  readonly last = new Map<string, Slot>()
}

/** Lines of one tag, x and smoothing of which every point is there: no zoom needs more. */
type Family = Map<string, Slot>

/** Lines or bands that differ in nothing but their runs: one card of a question. */
export class Shelf {
  readonly slots = new Map<string, Slot>()
  constructor(
    readonly ask: Pick<Ask, 'source' | 'x' | 'smoothing' | 'bootstrap'>,
    readonly range: Range | null,
    readonly columns: number,
    readonly family: Family,
    /** That of all smoothing which is made here; null if this one is not. */
    readonly common: Family | null,
    readonly trail: Trail,
  ) {}

  get tag(): string {
    return 'tag' in this.ask.source ? this.ask.source.tag : this.ask.source.expression
  }

  get x(): SeriesX {
    return this.ask.x
  }

  /** What answers for this run: the whole line if every point of it is there. */
  ofRun(run: string): Slot {
    return this.common?.get(run) ?? this.family.get(run) ?? this.#slot(run, run, null)
  }

  ofGroup(group: SeriesGroup): Slot {
    return this.#slot(JSON.stringify([group.name, group.runs]), null, group)
  }

  #slot(key: string, run: string | null, group: SeriesGroup | null): Slot {
    let slot = this.slots.get(key)
    if (slot === undefined) this.slots.set(key, (slot = new Slot(this, run, group)))
    return slot
  }
}

/** An ask, and where its lines or bands are. */
export interface Plan {
  readonly ask: Ask
  readonly shelf: Shelf
}

export class Shelves {
  readonly #shelves = new Map<string, Shelf>()
  readonly #families = new Map<string, Family>()
  readonly #trails = new Map<string, Trail>()

  /** `lines` is how many the card draws in all. */
  plan(ask: Ask, lines: number): Plan {
    const { range, columns } = detail(ask.range, ask.columns, lines)
    const { source, x, smoothing, bootstrap, groups } = ask
    const trail = JSON.stringify([source, x, groups !== null])
    const family = JSON.stringify([trail, smoothing])
    const key = JSON.stringify([family, range, columns, bootstrap])
    let shelf = this.#shelves.get(key)
    if (shelf === undefined) {
      const familyOf = (name: string): Family => made(this.#families, name, () => new Map<string, Slot>())
      const common = isSmoothedHere(smoothing) ? familyOf(trail) : null
      shelf = new Shelf(
        { source, x, smoothing, bootstrap },
        range,
        columns,
        familyOf(family),
        common,
        made(this.#trails, trail, () => new Trail()),
      )
      this.#shelves.set(key, shelf)
    }
    return { ask, shelf }
  }

  /** Lets go of a run that is no more; bands with it will be told by an answer. */
  remove(run: string): void {
    for (const shelf of this.#shelves.values()) shelf.slots.delete(run)
    for (const family of this.#families.values()) family.delete(run)
    for (const trail of this.#trails.values()) if (trail.last.delete(run)) trail.version++
  }

  /** Lets go of what was not used for longest, down to half of `most` numbers, if there are more; `now` marks what is in use. */
  trim(most: number, now: number): void {
    const slots = [...this.#shelves.values()].flatMap((shelf) => [...shelf.slots.values()])
    let size = slots.reduce((sum, slot) => sum + slot.size, 0)
    if (size <= most) return
    const idle = slots.filter((slot) => slot.usedAt < now).sort((a, b) => a.usedAt - b.usedAt)
    for (const slot of idle) {
      if (size <= most / 2) break
      size -= slot.size
      this.#drop(slot)
    }
  }

  #drop(slot: Slot): void {
    const { shelf } = slot
    const key = slot.run ?? JSON.stringify([slot.group?.name, slot.group?.runs])
    shelf.slots.delete(key)
    for (const family of [shelf.family, shelf.common])
      if (slot.run !== null && family?.get(slot.run) === slot) family.delete(slot.run)
    const name = slot.run ?? slot.group?.name ?? ''
    if (shelf.trail.last.get(name) === slot) shelf.trail.last.delete(name)
    if (shelf.slots.size === 0)
      for (const [name, other] of this.#shelves) if (other === shelf) this.#shelves.delete(name)
  }
}

function made<T>(map: Map<string, T>, key: string, make: () => T): T {
  let found = map.get(key)
  if (found === undefined) map.set(key, (found = make()))
  return found
}
