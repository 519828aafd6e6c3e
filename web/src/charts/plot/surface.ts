// One layer of pixels: a canvas that is as sharp as the screen, and gives its memory back when it is not seen.
import { CanvasInk } from './ink'

let measuring: CanvasRenderingContext2D | null = null
let minRatio = 1

/** How many device pixels a CSS pixel has at least, in what is drawn from now on: paper is sharper than many screens. */
export function setMinRatio(ratio: number): void {
  minRatio = ratio
}

export class Surface {
  readonly #canvas = document.createElement('canvas')
  #paints = 0

  constructor(host: HTMLElement, part: string) {
    this.#canvas.dataset.part = part
    this.#canvas.width = this.#canvas.height = 0
    this.#canvas.setAttribute('aria-hidden', 'true')
    Object.assign(this.#canvas.style, { position: 'absolute', left: '0', top: '0', pointerEvents: 'none' })
    host.append(this.#canvas)
  }

  get paints(): number {
    return this.#paints
  }

  /** Clean paper of this size, in CSS pixels. */
  begin(width: number, height: number, fonts: { readonly sans: string; readonly mono: string }): CanvasInk {
    const ratio = Math.max(window.devicePixelRatio || 1, minRatio)
    const canvas = this.#canvas
    const [columns, rows] = [Math.round(width * ratio), Math.round(height * ratio)]
    const context = contextOf(canvas)
    if (canvas.width !== columns || canvas.height !== rows) {
      canvas.width = columns
      canvas.height = rows
      canvas.style.width = `${String(width)}px`
      canvas.style.height = `${String(height)}px`
    } else {
      context.setTransform(1, 0, 0, 1, 0, 0)
      context.clearRect(0, 0, columns, rows)
    }
    this.#paints++
    return new CanvasInk(context, ratio, fonts)
  }

  /** A context to measure letters with, whether there are pixels or not. */
  measuring(): CanvasRenderingContext2D {
    return (measuring ??= contextOf(document.createElement('canvas')))
  }

  /** What screen readers say in place of the picture. */
  label(text: string): void {
    // Who named the chart itself has said it all.
    if (this.#canvas.parentElement?.hasAttribute('aria-label') === true) return
    this.#canvas.removeAttribute('aria-hidden')
    this.#canvas.setAttribute('role', 'img')
    if (this.#canvas.getAttribute('aria-label') !== text) this.#canvas.setAttribute('aria-label', text)
  }

  release(): void {
    if (this.#canvas.width !== 0) this.#canvas.width = this.#canvas.height = 0
  }

  destroy(): void {
    this.#canvas.remove()
  }
}

function contextOf(canvas: HTMLCanvasElement): CanvasRenderingContext2D {
  const context = canvas.getContext('2d')
  if (context === null) throw new Error('the browser provided no canvas')
  return context
}
