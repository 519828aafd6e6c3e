// What a chart is drawn with, on a canvas or into a file, and the canvas's own way: hairlines, since thicker strokes take ten times as long.
import type { Dash } from '../../lib/traces'

/** What takes strokes: a `Path2D`, or the path of a file. */
export interface Sink {
  moveTo(x: number, y: number): void
  lineTo(x: number, y: number): void
  arc(x: number, y: number, radius: number, from: number, to: number): void
  closePath(): void
}

export interface Pen {
  readonly colour: string
  /** In CSS pixels; 0 is one device pixel. */
  readonly width: number
  readonly alpha?: number
  readonly dash?: readonly number[]
  /** Real strokes in place of hairlines side by side: for a few lines only. */
  readonly isFine?: boolean
  /** Round corners, for wide strokes. */
  readonly isRound?: boolean
}

export interface Lettering {
  readonly colour: string
  readonly font: 'sans' | 'mono'
  readonly align: 'left' | 'center' | 'right'
  readonly isStrong?: boolean
}

export interface Ink {
  /** Device pixels per CSS pixel. */
  readonly ratio: number
  path(): Sink
  stroke(path: Sink, pen: Pen): void
  fill(path: Sink, colour: string, alpha?: number): void
  rect(x: number, y: number, width: number, height: number, colour: string, radius?: number): void
  /** `y` is the middle of the small letters. */
  text(text: string, x: number, y: number, lettering: Lettering): void
  textWidth(text: string, font: 'sans' | 'mono'): number
  /** Draws only inside, until `unclip`. */
  clip(x: number, y: number, width: number, height: number): void
  unclip(): void
}

export const FONT_SIZE = 11
export const WEIGHT = 450
export const STRONG = 600

const DASHES: Record<Dash, readonly number[]> = {
  solid: [],
  dashed: [6, 3],
  dotted: [1.5, 2.5],
  'dash-dotted': [6, 2.5, 1.5, 2.5],
}

export function penOf(style: { readonly colour: string; readonly dash: Dash }, width: number): Pen {
  return { colour: style.colour, width, dash: DASHES[style.dash] }
}

/** The centre of the device pixel that a place falls on, so that a hairline there is sharp. */
export function crisp(at: number, ratio: number): number {
  return (Math.floor(at * ratio) + 0.5) / ratio
}

/** Where hairlines are laid to look like one line of so many device pixels, as pairs of x and y. */
function offsets(width: number): readonly number[] {
  const by = (width - 1) / 2
  return width <= 2 ? [0, -by, 0, by] : [0, -by, by, 0, 0, by, -by, 0]
}

export class CanvasInk implements Ink {
  readonly ratio: number
  readonly #context: CanvasRenderingContext2D
  readonly #fonts: { readonly sans: string; readonly mono: string }
  #font = ''

  constructor(
    context: CanvasRenderingContext2D,
    ratio: number,
    fonts: { readonly sans: string; readonly mono: string },
  ) {
    this.#context = context
    this.ratio = ratio
    this.#fonts = fonts
    context.setTransform(ratio, 0, 0, ratio, 0, 0)
    context.lineJoin = 'bevel'
  }

  path(): Path2D {
    return new Path2D()
  }

  stroke(path: Path2D, pen: Pen): void {
    const context = this.#context
    const width = Math.max(1, pen.width * this.ratio)
    context.strokeStyle = pen.colour
    context.globalAlpha = pen.alpha ?? 1
    context.lineJoin = pen.isRound === true ? 'round' : 'bevel'
    context.lineCap = pen.isRound === true ? 'round' : 'butt'
    context.setLineDash((pen.dash ?? []) as number[])
    if (width <= 1 || pen.isFine === true) {
      context.lineWidth = width / this.ratio
      context.stroke(path)
    } else {
      context.lineWidth = 1 / this.ratio
      const at = offsets(width)
      for (let i = 0; i < at.length; i += 2) {
        const dx = at[i] as number
        const dy = at[i + 1] as number
        context.setTransform(this.ratio, 0, 0, this.ratio, dx, dy)
        context.stroke(path)
      }
      context.setTransform(this.ratio, 0, 0, this.ratio, 0, 0)
    }
    context.globalAlpha = 1
  }

  fill(path: Path2D, colour: string, alpha = 1): void {
    this.#context.globalAlpha = alpha
    this.#context.fillStyle = colour
    this.#context.fill(path)
    this.#context.globalAlpha = 1
  }

  rect(x: number, y: number, width: number, height: number, colour: string, radius = 0): void {
    const context = this.#context
    context.fillStyle = colour
    if (radius === 0) {
      context.fillRect(x, y, width, height)
      return
    }
    context.beginPath()
    context.roundRect(x, y, width, height, radius)
    context.fill()
  }

  text(text: string, x: number, y: number, lettering: Lettering): void {
    const context = this.#context
    this.#setFont(lettering.font, lettering.isStrong === true ? STRONG : WEIGHT)
    context.fillStyle = lettering.colour
    context.textAlign = lettering.align
    context.textBaseline = 'middle'
    context.fillText(text, x, y + 0.5)
  }

  textWidth(text: string, font: 'sans' | 'mono'): number {
    this.#setFont(font, WEIGHT)
    return this.#context.measureText(text).width
  }

  clip(x: number, y: number, width: number, height: number): void {
    this.#context.save()
    this.#context.beginPath()
    this.#context.rect(x, y, width, height)
    this.#context.clip()
  }

  unclip(): void {
    this.#context.restore()
  }

  #setFont(font: 'sans' | 'mono', weight: number): void {
    const wanted = `${String(weight)} ${String(FONT_SIZE)}px ${this.#fonts[font]}`
    // Reading a font's name takes the browser longer than drawing with it.
    if (wanted === this.#font) return
    this.#font = wanted
    this.#context.font = wanted
  }
}
