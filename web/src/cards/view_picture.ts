// One picture of all cards on the screen, laid out as they are there, with one legend for all of them.
import { CanvasInk } from '../charts/plot/ink'
import { legendHeight, legendOf, paintLegend, type LegendEntry } from '../charts/plot/sheet'
import { escapeXml, SvgInk } from '../charts/plot/svg'
import { pngOf } from '../lib/png'
import type { LegendItem } from '../lib/traces'
import type { PictureCard } from '../state/card_registry'

/** How a card is drawn in a picture of the view. */
export type CardPicture = Omit<PictureCard, 'element'>

interface Place {
  readonly left: number
  readonly top: number
  readonly width: number
  readonly height: number
}

interface Layout {
  readonly width: number
  readonly height: number
  readonly places: readonly Place[]
}

/** What the picture is drawn on, and with. */
export interface Paper {
  readonly surface: string
  readonly ink: string
  readonly sans: string
  readonly mono: string
}

const MARGIN = 16

/** Where the cards are, from the top left of all of them. */
export function layout(boxes: readonly Place[]): Layout {
  const left = Math.min(...boxes.map((box) => box.left))
  const top = Math.min(...boxes.map((box) => box.top))
  // Named one by one: what is spread of a DOMRect is nothing.
  const places = boxes.map((box) => ({
    left: box.left - left + MARGIN,
    top: box.top - top + MARGIN,
    width: box.width,
    height: box.height,
  }))
  return {
    width: Math.ceil(Math.max(...places.map((place) => place.left + place.width)) + MARGIN),
    height: Math.ceil(Math.max(...places.map((place) => place.top + place.height)) + MARGIN),
    places,
  }
}

/** Pictures inside a picture; each keeps its own coordinates, and names that no other has. The legend is below them. */
export function composeSvg(
  svgs: readonly string[],
  { width, height, places }: Layout,
  paper: Paper,
  legend: readonly LegendEntry[] = [],
): string {
  const inner = svgs.map((svg, at) => {
    const place = places[at]
    if (place === undefined) return ''
    const body = svg
      .replace(/^\s*<\?xml[^>]*\?>\s*/, '')
      .replace(/( id="|url\(#)(?=clip-)/g, `$1card-${String(at + 1)}-`)
    return `<svg x="${String(place.left)}" y="${String(place.top)}" width="${String(place.width)}" height="${String(place.height)}">${body}</svg>`
  })
  const ink = new SvgInk(paper)
  paintLegend(ink, legend, height - MARGIN, paper.ink)
  const whole = String(height + legendHeight(legend))
  const size = `width="${String(width)}" height="${whole}" viewBox="0 0 ${String(width)} ${whole}"`
  return `<svg xmlns="http://www.w3.org/2000/svg" ${size}><rect width="100%" height="100%" fill="${escapeXml(paper.surface)}"/>${inner.join('')}<g class="legend">${ink.elements}</g></svg>`
}

/** The legend at the width of the cards. */
function placed(items: readonly LegendItem[], { width }: Layout, paper: Paper): LegendEntry[] {
  const context = contextOf(document.createElement('canvas'))
  const measuring = new CanvasInk(context, 1, paper)
  const entries = legendOf(items, width - MARGIN, (text) => measuring.textWidth(text, 'sans'))
  return entries.map((entry) => ({ ...entry, left: entry.left + MARGIN / 2 }))
}

export function viewSvg(cards: readonly PictureCard[], paper: Paper, items: readonly LegendItem[]): string {
  const laidOut = layout(cards.map(({ element }) => element.getBoundingClientRect()))
  return composeSvg(
    cards.map((card) => card.toSvg()),
    laidOut,
    paper,
    placed(items, laidOut, paper),
  )
}

export function viewPng(
  cards: readonly PictureCard[],
  paper: Paper,
  items: readonly LegendItem[],
  scale: number,
): Blob {
  const laidOut = layout(cards.map(({ element }) => element.getBoundingClientRect()))
  const { width, height, places } = laidOut
  const legend = placed(items, laidOut, paper)
  const canvas = document.createElement('canvas')
  canvas.width = width * scale
  canvas.height = (height + legendHeight(legend)) * scale
  const context = contextOf(canvas)
  context.fillStyle = paper.surface
  context.fillRect(0, 0, canvas.width, canvas.height)
  for (const [at, card] of cards.entries()) {
    const place = places[at]
    if (place !== undefined) context.drawImage(card.toCanvas(scale), place.left * scale, place.top * scale)
  }
  paintLegend(new CanvasInk(context, scale, paper), legend, height - MARGIN, paper.ink)
  return pngOf(canvas)
}

function contextOf(canvas: HTMLCanvasElement): CanvasRenderingContext2D {
  const context = canvas.getContext('2d')
  if (context === null) throw new Error('the browser provided no canvas')
  return context
}
