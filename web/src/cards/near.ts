// Which places of cards are on the screen or near it: one observer for all of them, and cards that are made a few in each frame.
import { flushSync } from 'svelte'
import { frames, type Drawing } from '../lib/frames'

/** Called for a place: whether its card should exist, and how high the place was. */
export type Report = (isNear: boolean, height: number) => void

// Cards this near to the screen are created, so that scrolling reaches finished ones: a fraction of the height of what scrolls.
const NEAR = 0.3

interface Place {
  readonly report: Report
  isNear: boolean
  /** Waits for its turn; null when nothing is to be done. */
  waiting: Drawing | null
}

export class Nearness {
  readonly #places = new Map<Element, Place>()
  readonly #observer: IntersectionObserver
  readonly #reach: number

  /** `reach` is how near, as a part of the height of what scrolls. */
  constructor(root: Element | null, reach = NEAR) {
    this.#reach = reach
    const margin = `${String(100 * reach)}% 0px`
    this.#observer = new IntersectionObserver(
      (entries) => {
        this.#observe(entries)
      },
      { root, rootMargin: margin },
    )
  }

  /** Reports when it differs from `isNear`, and then each change. Returns a function that ends it. */
  watch(element: Element, report: Report, isNear = false): () => void {
    const place: Place = { report, isNear, waiting: null }
    this.#places.set(element, place)
    this.#observer.observe(element)
    return () => {
      this.#observer.unobserve(element)
      this.#places.delete(element)
      if (place.waiting !== null) frames.forget(place.waiting)
    }
  }

  /** What can be seen is made at once, the rest when its turn comes. */
  #observe(entries: readonly IntersectionObserverEntry[]): void {
    for (const entry of entries) {
      const place = this.#places.get(entry.target)
      if (place === undefined) continue
      if (place.waiting !== null) frames.forget(place.waiting)
      const { height } = entry.boundingClientRect
      const distance = outside(entry, this.#reach)
      place.waiting = null
      const isNear = distance === 0 || entry.isIntersecting
      if (isNear === place.isNear) continue
      const report = (): void => {
        place.waiting = null
        place.isNear = isNear
        place.report(isNear, height)
      }
      if (distance === 0) report()
      else {
        // At once, so that what it takes counts for this frame.
        place.waiting = {
          draw: () => {
            flushSync(report)
          },
          urgency: () => distance,
        }
        frames.ask(place.waiting)
      }
    }
  }
}

/** Pixels between a place and what is seen; 0 when some of it is. */
function outside({ boundingClientRect: box, rootBounds }: IntersectionObserverEntry, reach: number): number {
  if (rootBounds === null) return 0
  const margin = (rootBounds.height * reach) / (1 + 2 * reach)
  return Math.max(0, rootBounds.top + margin - box.bottom, box.top - (rootBounds.bottom - margin))
}

const known = new WeakMap<Element, Map<number, Nearness>>()

/** The one that belongs to what scrolls around an element. */
export function nearness(element: Element, reach = NEAR): Nearness {
  const root = element.closest('[data-scroll]')
  const key = root ?? document.documentElement
  const reaches = known.get(key) ?? new Map<number, Nearness>()
  known.set(key, reaches)
  let found = reaches.get(reach)
  if (found === undefined) reaches.set(reach, (found = new Nearness(root, reach)))
  return found
}
