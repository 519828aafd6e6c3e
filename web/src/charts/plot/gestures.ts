// Gestures on a chart: drags that zoom or pan, wheels, pinches, clicks; reported to the chart in pixels.
import type { Box } from './types'

export interface GestureHandler {
  /** Null only while the chart has no size. */
  readonly plot: Box | null
  /** The pointer is here, in pixels from the top left; null when it is gone. */
  point(at: readonly [number, number] | null): void
  /** A box is being drawn; null when it is released. */
  box(box: Box | null): void
  zoomTo(box: Box): void
  /** Moves the paper; `isVertical` when the hand means y, too. */
  pan(dx: number, dy: number, isVertical: boolean): void
  zoomAt(at: readonly [number, number], factorX: number, factorY: number): void
  fit(): void
  press(at: readonly [number, number]): void
  wheelHint(): void
}

/** Pixels that a hand may tremble. */
const SLACK = 4
/** A box thinner than this is meant for one axis only. */
const THIN = 12
/** Pixels of vertical panning before y is let loose. */
const Y_SLACK = 10
const WHEEL_STEP = 0.0015
const LINE_HEIGHT = 16

interface Drag {
  readonly id: number
  readonly start: readonly [number, number]
  readonly kind: 'box' | 'pan' | 'scrub'
  last: readonly [number, number]
  isMoving: boolean
  isVertical: boolean
}

export class Gestures {
  readonly #host: HTMLElement
  readonly #handler: GestureHandler
  readonly #fingers = new Map<number, readonly [number, number]>()
  readonly #end = new AbortController()
  #drag: Drag | null = null

  constructor(host: HTMLElement, handler: GestureHandler) {
    this.#host = host
    this.#handler = handler
    const { signal } = this.#end
    host.addEventListener(
      'pointerdown',
      (event) => {
        this.#down(event)
      },
      { signal },
    )
    host.addEventListener(
      'pointermove',
      (event) => {
        this.#move(event)
      },
      { signal },
    )
    host.addEventListener(
      'pointerup',
      (event) => {
        this.#up(event)
      },
      { signal },
    )
    host.addEventListener(
      'pointercancel',
      (event) => {
        this.#cancel(event)
      },
      { signal },
    )
    host.addEventListener(
      'pointerleave',
      (event) => {
        this.#leave(event)
      },
      { signal },
    )
    host.addEventListener(
      'dblclick',
      (event) => {
        this.#double(event)
      },
      { signal },
    )
    host.addEventListener(
      'wheel',
      (event) => {
        this.#wheel(event)
      },
      { signal, passive: false },
    )
    // The middle button would scroll the page on its own.
    host.addEventListener(
      'mousedown',
      (event) => {
        if (event.button === 1) event.preventDefault()
      },
      { signal },
    )
    // Before the page takes the key for something else.
    window.addEventListener(
      'keydown',
      (event) => {
        this.#escape(event)
      },
      { signal, capture: true },
    )
  }

  destroy(): void {
    this.#end.abort()
  }

  #at(event: MouseEvent): readonly [number, number] {
    const box = this.#host.getBoundingClientRect()
    return [event.clientX - box.left, event.clientY - box.top]
  }

  #down(event: PointerEvent): void {
    const at = this.#at(event)
    const plot = this.#handler.plot
    if (plot === null || event.defaultPrevented || event.button > 1) return
    if (event.pointerType === 'touch') {
      this.#fingers.set(event.pointerId, at)
      if (this.#fingers.size > 1) {
        this.#drop()
        return
      }
    }
    if (at[0] < plot.left || at[0] > plot.right || at[1] > plot.bottom) return
    const isPan = event.shiftKey || event.altKey || event.button === 1
    const kind = event.pointerType === 'touch' ? 'scrub' : isPan ? 'pan' : 'box'
    this.#drag = { id: event.pointerId, start: at, kind, last: at, isMoving: false, isVertical: false }
    if (kind !== 'scrub') this.#host.setPointerCapture(event.pointerId)
    else this.#handler.point(at)
  }

  #move(event: PointerEvent): void {
    const at = this.#at(event)
    if (this.#fingers.size > 1 && this.#fingers.has(event.pointerId)) {
      this.#pinch(event.pointerId, at)
      return
    }
    const drag = this.#drag
    if (drag === null || drag.id !== event.pointerId) {
      this.#handler.point(at)
      return
    }
    if (Math.hypot(at[0] - drag.start[0], at[1] - drag.start[1]) > SLACK) drag.isMoving = true
    if (!drag.isMoving || drag.kind === 'scrub') {
      this.#handler.point(at)
      return
    }
    if (drag.kind === 'box') {
      this.#handler.box(this.#boxTo(drag, at))
      return
    }
    if (Math.abs(at[1] - drag.start[1]) > Y_SLACK) drag.isVertical = true
    this.#handler.pan(at[0] - drag.last[0], at[1] - drag.last[1], drag.isVertical)
    drag.last = at
  }

  #up(event: PointerEvent): void {
    const at = this.#at(event)
    this.#fingers.delete(event.pointerId)
    const drag = this.#drag
    if (drag === null || drag.id !== event.pointerId) return
    this.#drop()
    if (!drag.isMoving) {
      if (drag.kind !== 'pan') this.#handler.press(at)
      return
    }
    const box = drag.kind === 'box' ? this.#boxTo(drag, at) : null
    if (box !== null) this.#handler.zoomTo(box)
  }

  #cancel(event: PointerEvent): void {
    this.#fingers.delete(event.pointerId)
    this.#drop()
    this.#handler.point(null)
  }

  #leave(event: PointerEvent): void {
    if (this.#drag === null || this.#drag.kind === 'scrub') this.#handler.point(null)
    this.#fingers.delete(event.pointerId)
  }

  #escape(event: KeyboardEvent): void {
    if (event.key !== 'Escape' || this.#drag === null) return
    event.stopPropagation()
    this.#drop()
  }

  /** Cancels a drag. */
  #drop(): void {
    if (this.#drag?.kind === 'box') this.#handler.box(null)
    this.#drag = null
  }

  #double(event: MouseEvent): void {
    event.preventDefault()
    this.#handler.fit()
  }

  #wheel(event: WheelEvent): void {
    const plot = this.#handler.plot
    if (plot === null) return
    if (!event.altKey && !event.ctrlKey) {
      this.#handler.wheelHint()
      return
    }
    event.preventDefault()
    const at = this.#at(event)
    const pixels = event.deltaMode === WheelEvent.DOM_DELTA_PIXEL ? event.deltaY : event.deltaY * LINE_HEIGHT
    // Trackpads pinch with small deltas and a Ctrl that was not pressed.
    const factor = Math.exp(pixels * WHEEL_STEP * (event.ctrlKey && Math.abs(pixels) < 50 ? 6 : 1))
    this.#handler.zoomAt(at, at[0] < plot.left ? 1 : factor, at[1] > plot.bottom ? 1 : factor)
  }

  #pinch(id: number, at: readonly [number, number]): void {
    const before = [...this.#fingers.values()]
    this.#fingers.set(id, at)
    const now = [...this.#fingers.values()]
    const [a, b] = [before[0] ?? at, before[1] ?? at]
    const [c, d] = [now[0] ?? at, now[1] ?? at]
    const middle = [(c[0] + d[0]) / 2, (c[1] + d[1]) / 2] as const
    const factor = Math.hypot(a[0] - b[0], a[1] - b[1]) / Math.max(1, Math.hypot(c[0] - d[0], c[1] - d[1]))
    this.#handler.pan(middle[0] - (a[0] + b[0]) / 2, middle[1] - (a[1] + b[1]) / 2, true)
    this.#handler.zoomAt(middle, factor, factor)
  }

  #boxTo(drag: Drag, at: readonly [number, number]): Box | null {
    const plot = this.#handler.plot
    if (plot === null) return null
    const within = (value: number, low: number, high: number) => Math.max(low, Math.min(high, value))
    const x = [within(drag.start[0], plot.left, plot.right), within(at[0], plot.left, plot.right)] as const
    const y = [within(drag.start[1], plot.top, plot.bottom), within(at[1], plot.top, plot.bottom)] as const
    const box = { left: Math.min(...x), right: Math.max(...x), top: Math.min(...y), bottom: Math.max(...y) }
    const isThinX = box.right - box.left < THIN
    const isThinY = box.bottom - box.top < THIN
    if (isThinY) return { ...box, top: plot.top, bottom: plot.bottom }
    return isThinX ? { ...box, left: plot.left, right: plot.right } : box
  }
}
