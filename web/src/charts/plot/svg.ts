// A chart as a file: the same drawing as on the canvas, in SVG elements with real stroke widths and named fonts.
import { FONT_SIZE, STRONG, WEIGHT, type Ink, type Lettering, type Pen, type Sink } from './ink'

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}
/** A hairline on paper: half a point is thin, and does not disappear in print as less does. */
const HAIRLINE = 0.6
/** Widths of letters as parts of their size, near enough for margins where no canvas can measure. */
const LETTER = { sans: 0.58, mono: 0.6 }

/** They have no place in XML at all. */
// eslint-disable-next-line no-control-regex
const CONTROL = /[\u0000-\u0008\u000b\u000c\u000e-\u001f]/g

export function escapeXml(text: string): string {
  return text.replace(CONTROL, ' ').replace(/[&<>"']/g, (char) => ESCAPES[char] ?? char)
}

class SvgPath implements Sink {
  readonly #parts: string[] = []

  moveTo(x: number, y: number): void {
    this.#parts.push(`M${short(x)} ${short(y)}`)
  }

  lineTo(x: number, y: number): void {
    this.#parts.push(`L${short(x)} ${short(y)}`)
  }

  /** Whole circles only, which is all that is drawn; the pen is at its right. */
  arc(x: number, y: number, radius: number): void {
    const r = short(radius)
    this.#parts.push(
      `A${r} ${r} 0 1 1 ${short(x - radius)} ${short(y)}A${r} ${r} 0 1 1 ${short(x + radius)} ${short(y)}Z`,
    )
  }

  closePath(): void {
    this.#parts.push('Z')
  }

  toString(): string {
    return this.#parts.join('')
  }
}

export class SvgInk implements Ink {
  readonly ratio = 1
  readonly #fonts: { readonly sans: string; readonly mono: string }
  readonly #elements: string[] = []
  readonly #measure: ((text: string, font: 'sans' | 'mono') => number) | null
  #clips = 0

  constructor(
    fonts: { readonly sans: string; readonly mono: string },
    measure: ((text: string, font: 'sans' | 'mono') => number) | null = null,
  ) {
    this.#fonts = fonts
    this.#measure = measure
  }

  path(): SvgPath {
    return new SvgPath()
  }

  stroke(path: SvgPath, pen: Pen): void {
    const d = path.toString()
    if (d === '') return
    const width = pen.width === 0 ? HAIRLINE : pen.width
    const dash = pen.dash === undefined || pen.dash.length === 0 ? '' : ` stroke-dasharray="${pen.dash.join(' ')}"`
    const alpha = pen.alpha === undefined ? '' : ` stroke-opacity="${String(pen.alpha)}"`
    this.#elements.push(
      `<path d="${d}" fill="none" stroke="${escapeXml(pen.colour)}" stroke-width="${String(width)}" stroke-linejoin="round"${alpha}${dash}/>`,
    )
  }

  fill(path: SvgPath, colour: string, alpha = 1): void {
    const d = path.toString()
    if (d === '') return
    this.#elements.push(
      `<path d="${d}" fill="${escapeXml(colour)}"${alpha === 1 ? '' : ` fill-opacity="${String(alpha)}"`}/>`,
    )
  }

  rect(x: number, y: number, width: number, height: number, colour: string, radius = 0): void {
    const round = radius === 0 ? '' : ` rx="${String(radius)}"`
    this.#elements.push(
      `<rect x="${short(x)}" y="${short(y)}" width="${short(width)}" height="${short(height)}" fill="${escapeXml(colour)}"${round}/>`,
    )
  }

  text(text: string, x: number, y: number, lettering: Lettering): void {
    const anchor = { left: 'start', center: 'middle', right: 'end' }[lettering.align]
    const weight = String(lettering.isStrong === true ? STRONG : WEIGHT)
    // Baselines other than the alphabetic one are not known to every reader of SVG.
    this.#elements.push(
      `<text x="${short(x)}" y="${short(y + FONT_SIZE * 0.36)}" fill="${escapeXml(lettering.colour)}" font-family="${escapeXml(this.#fonts[lettering.font])}" font-size="${String(FONT_SIZE)}" font-weight="${weight}" text-anchor="${anchor}">${escapeXml(text)}</text>`,
    )
  }

  textWidth(text: string, font: 'sans' | 'mono'): number {
    return this.#measure?.(text, font) ?? text.length * FONT_SIZE * LETTER[font]
  }

  clip(x: number, y: number, width: number, height: number): void {
    const id = `clip-${String(++this.#clips)}`
    this.#elements.push(
      `<clipPath id="${id}"><rect x="${short(x)}" y="${short(y)}" width="${short(width)}" height="${short(height)}"/></clipPath><g clip-path="url(#${id})">`,
    )
  }

  unclip(): void {
    this.#elements.push('</g>')
  }

  /** What was drawn, to be put into a document. */
  get elements(): string {
    return this.#elements.join('')
  }

  document(width: number, height: number, title: string): string {
    const size = `width="${String(width)}" height="${String(height)}" viewBox="0 0 ${String(width)} ${String(height)}"`
    return `<svg xmlns="http://www.w3.org/2000/svg" ${size} role="img"><title>${escapeXml(title)}</title>${this.elements}</svg>\n`
  }
}

function short(value: number): string {
  return String(Math.round(value * 100) / 100)
}
