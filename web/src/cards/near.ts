// Which places of cards are on the screen or near it: one observer for all of them, and cards that are made a few in each frame.
import { flushSync } from 'svelte'
import { frames, type Drawing } from '../lib/frames'

/** What is told of a place: whether its card is to be there, and how high the place was. */
export type Tell = (isNear: boolean, height: number) => void

// Cards this near to the screen are made, so that scrolling meets finished ones: a part of the height of what scrolls.
const NEAR = 0.3

interface Place {
  readonly tell: Tell
  /** Waits for its turn; null when nothing is to be done. */
  waiting: Drawing | null
}

export class Nearness {
  readonly #places = new Map<Element, Place>()
  readonly #observer: IntersectionObserver

  constructor(root: Element | null) {
    const margin = `${String(100 * NEAR)}% 0px`
    this.#observer = new IntersectionObserver((entries) => { this.#hear(entries) }, { root, rootMargin: margin })
  }

  /** Returns how to end it. */
  watch(element: Element, tell: Tell): () => void {
    const place: Place = { tell, waiting: null }
    this.#places.set(element, place)
    this.#observer.observe(element)
    return () => {
      this.#observer.unobserve(element)
      this.#places.delete(element)
      if (place.waiting !== null) frames.forget(place.waiting)
    }
  }

  /** What can be seen is made at once, the rest when its turn comes. */
  #hear(entries: readonly IntersectionObserverEntry[]): void {
    for (const entry of entries) {
      const place = this.#places.get(entry.target)
      if (place === undefined) continue
      if (place.waiting !== null) frames.forget(place.waiting)
      const { height } = entry.boundingClientRect
      const distance = outside(entry)
      place.waiting = null
      if (distance === 0) place.tell(true, height)
      else {
        place.waiting = {
          draw: () => {
            place.waiting = null
            // At once, so that what it takes counts for this frame.
            flushSync(() => { place.tell(entry.isIntersecting, height) })
          },
          urgency: () => distance,
        }
        frames.ask(place.waiting)
      }
    }
  }
}

/** Pixels between a place and what is seen; 0 when some of it is. */
function outside({ boundingClientRect: box, rootBounds }: IntersectionObserverEntry): number {
  if (rootBounds === null) return 0
  const margin = (rootBounds.height * NEAR) / (1 + 2 * NEAR)
  return Math.max(0, rootBounds.top + margin - box.bottom, box.top - (rootBounds.bottom - margin))
}

const known = new WeakMap<Element, Nearness>()

/** The one that belongs to what scrolls around an element. */
export function nearness(element: Element): Nearness {
  const root = element.closest('[data-scroll]')
  const key = root ?? document.documentElement
  let found = known.get(key)
  if (found === undefined) known.set(key, (found = new Nearness(root)))
  return found
}
