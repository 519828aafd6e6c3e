// The chosen step or range on a chart: a veil below the lines, and fobs on the axis that can be dragged. Elements, so that moving them repaints nothing.
import { stepText, xText } from './labels'
import type { AxisOptions, Layout } from './layout'
import type { ChartTheme, Selected, XKind } from './types'

/** Of JetBrains Mono at 11 px. */
const LETTER_WIDTH = 6.6

export class SelectionLayer {
  readonly #host: HTMLElement
  readonly #handles: HTMLElement
  readonly #veil = element('div')
  /** How wide the range is, above it. */
  readonly #head = element('div')
  readonly #fobs: readonly [Fob, Fob]
  #selected: Selected = null
  #layout: Layout | null = null
  #kind: XKind = 'step'
  #hasHead = false
  readonly #changed: (selected: Selected) => void

  /** `changed` is called for every position that a handle is dragged to. */
  constructor(host: HTMLElement, handles: HTMLElement, changed: (selected: Selected) => void) {
    this.#host = host
    this.#handles = handles
    this.#changed = changed
    this.#veil.dataset.part = 'selection'
    this.#fobs = [this.#fob('from', 'Selected step'), this.#fob('to', 'End of the selected range')]
    Object.assign(this.#head.style, { whiteSpace: 'nowrap', pointerEvents: 'none' })
    this.#head.dataset.part = 'span'
    host.prepend(this.#veil)
    host.append(this.#head)
  }

  setTheme(theme: ChartTheme): void {
    this.#veil.style.background = theme.veil
    Object.assign(this.#head.style, { color: theme.ink3, font: `450 11px/16px ${theme.sans}` })
    for (const fob of this.#fobs) fob.setTheme(theme)
  }

  set(selected: Selected): void {
    this.#selected = selected
    this.#place()
  }

  lay(layout: Layout, options: AxisOptions): void {
    this.#layout = layout
    this.#kind = options.xKind
    this.#hasHead = options.showLabels === true
    this.#place()
  }

  destroy(): void {
    this.#veil.remove()
    this.#head.remove()
    for (const fob of this.#fobs) fob.destroy()
  }

  #fob(end: 'from' | 'to', label: string): Fob {
    return new Fob(
      this.#host,
      this.#handles,
      label,
      (pixel) => {
        const [layout, selected] = [this.#layout, this.#selected]
        if (layout === null || selected === null) return
        const { plot } = layout
        const exact = layout.x.value(Math.max(plot.left, Math.min(plot.right, pixel)))
        this.#move(end, this.#kind === 'step' ? Math.round(exact) : exact)
      },
      (by) => {
        const [layout, selected] = [this.#layout, this.#selected]
        if (layout === null || selected === null) return
        const now = end === 'from' ? selected.from : (selected.to ?? selected.from)
        const pixel = Math.abs(layout.x.value(layout.plot.left + 1) - layout.x.value(layout.plot.left))
        this.#move(end, now + by * (this.#kind === 'step' ? Math.max(1, Math.round(pixel)) : pixel))
      },
    )
  }

  /** A fob stops at the other one. */
  #move(end: 'from' | 'to', x: number): void {
    const selected = this.#selected
    if (selected === null) return
    if (selected.to === null) this.#selected = { from: x, to: null }
    else {
      const other = end === 'from' ? selected.to : selected.from
      this.#selected =
        end === 'from' ? { from: Math.min(x, other), to: other } : { from: other, to: Math.max(x, other) }
    }
    this.#place()
    this.#changed(this.#selected)
  }

  #placeHead(selected: NonNullable<Selected>, middle: number, top: number): void {
    this.#head.style.display = this.#hasHead && selected.to !== null ? 'block' : 'none'
    if (selected.to === null) return
    this.#head.textContent = `${spanText(this.#kind, selected.to - selected.from)} selected`
    this.#head.style.transform = `translate(calc(${middle.toFixed(1)}px - 50%), ${String(top)}px)`
  }

  #place(): void {
    const [layout, selected] = [this.#layout, this.#selected]
    if (layout === null || selected === null) {
      this.#veil.style.display = this.#head.style.display = 'none'
      for (const fob of this.#fobs) fob.hide()
      return
    }
    const { plot } = layout
    const left = Math.max(plot.left, Math.min(plot.right, layout.x.at(selected.from)))
    const right = Math.max(plot.left, Math.min(plot.right, layout.x.at(selected.to ?? selected.from)))
    this.#veil.style.display = selected.to === null ? 'none' : 'block'
    place(this.#veil, left, plot.top, right - left, plot.bottom - plot.top)
    this.#placeHead(selected, (left + right) / 2, plot.top - 20)
    this.#fobs[0].place(layout, selected.from, xText(this.#kind, selected.from))
    if (selected.to === null) this.#fobs[1].hide()
    else this.#fobs[1].place(layout, selected.to, xText(this.#kind, selected.to))
  }
}

/** A line through the plot with a handle on the axis. */
class Fob {
  readonly #line = element('div')
  readonly #handle = element('div')
  /** Paper over the tick labels that the handle touches. */
  readonly #mask = element('div')

  constructor(
    host: HTMLElement,
    handles: HTMLElement,
    label: string,
    dragged: (pixel: number) => void,
    nudged: (by: number) => void,
  ) {
    const handle = this.#handle
    handle.setAttribute('role', 'slider')
    handle.setAttribute('aria-label', label)
    handle.tabIndex = 0
    handle.dataset.part = 'fob'
    Object.assign(handle.style, {
      pointerEvents: 'auto',
      cursor: 'ew-resize',
      borderRadius: '2px',
      padding: '0 5px',
      height: '16px',
      touchAction: 'none',
      whiteSpace: 'nowrap',
      userSelect: 'none',
      zIndex: '3',
    })
    this.#line.style.pointerEvents = 'none'
    this.#mask.style.pointerEvents = 'none'
    host.append(this.#mask, this.#line)
    handles.append(handle)
    handle.addEventListener('pointerdown', (event) => {
      event.preventDefault()
      event.stopPropagation()
      handle.setPointerCapture(event.pointerId)
      handle.focus({ preventScroll: true })
    })
    handle.addEventListener('pointermove', (event) => {
      event.stopPropagation()
      if (handle.hasPointerCapture(event.pointerId)) dragged(event.clientX - host.getBoundingClientRect().left)
    })
    handle.addEventListener('dblclick', (event) => {
      event.stopPropagation()
    })
    handle.addEventListener('keydown', (event) => {
      const by = { ArrowLeft: -1, ArrowRight: 1, PageDown: -10, PageUp: 10 }[event.key]
      if (by === undefined) return
      event.preventDefault()
      event.stopPropagation()
      nudged(event.shiftKey ? 10 * by : by)
    })
  }

  setTheme(theme: ChartTheme): void {
    this.#line.style.background = theme.ink
    this.#mask.style.background = theme.surface
    Object.assign(this.#handle.style, {
      background: theme.ink,
      color: theme.surface,
      font: `400 11px/16px ${theme.mono}`,
    })
  }

  place(layout: Layout, value: number, text: string): void {
    const { plot } = layout
    const at = layout.x.at(value)
    const isOutside = !(at >= plot.left - 0.5 && at <= plot.right + 0.5)
    this.#line.style.display = this.#handle.style.display = isOutside ? 'none' : 'block'
    this.#cover(layout, at, isOutside ? 0 : text.length * LETTER_WIDTH + 10)
    place(this.#line, Math.round(at - 0.5), plot.top, 1, plot.bottom - plot.top + 3)
    const handle = this.#handle
    if (handle.textContent !== text) handle.textContent = text
    handle.setAttribute('aria-valuenow', String(value))
    handle.setAttribute('aria-valuemin', String(layout.x.domain[0]))
    handle.setAttribute('aria-valuemax', String(layout.x.domain[1]))
    handle.setAttribute('aria-valuetext', text)
    handle.style.top = `${String(plot.bottom + 3)}px`
    handle.style.transform = `translateX(calc(${at.toFixed(1)}px - 50%))`
  }

  #cover(layout: Layout, at: number, width: number): void {
    const touched = layout.xTicks.filter((tick) => width > 0 && Math.abs(tick.at - at) < (tick.width + width) / 2 + 3)
    this.#mask.style.display = touched.length > 0 ? 'block' : 'none'
    if (touched.length === 0) return
    const left = Math.min(...touched.map((tick) => tick.at - tick.width / 2)) - 1
    const right = Math.max(...touched.map((tick) => tick.at + tick.width / 2)) + 1
    place(this.#mask, left, layout.plot.bottom + 4, right - left, 16)
  }

  hide(): void {
    this.#line.style.display = this.#mask.style.display = this.#handle.style.display = 'none'
  }

  destroy(): void {
    this.#line.remove()
    this.#mask.remove()
    this.#handle.remove()
  }
}

function element(name: 'div'): HTMLDivElement {
  const made = document.createElement(name)
  Object.assign(made.style, { position: 'absolute', left: '0', top: '0', display: 'none' })
  return made
}

function place(target: HTMLElement, left: number, top: number, width: number, height: number): void {
  Object.assign(target.style, {
    transform: `translate(${left.toFixed(1)}px, ${String(top)}px)`,
    width: `${width.toFixed(1)}px`,
    height: `${String(height)}px`,
  })
}

/** `12,000 steps`, `2 h 14 m` */
function spanText(kind: XKind, width: number): string {
  if (kind === 'step') return `${stepText(width)} ${width === 1 ? 'step' : 'steps'}`
  return xText(kind === 'date' ? 'duration' : kind, width)
}
