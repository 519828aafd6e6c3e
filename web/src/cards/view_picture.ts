// One picture of all cards on the screen, laid out as they are there.
import { pngOf } from '../lib/png'
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

/** Pictures inside a picture; each keeps its own coordinates, and names that no other has. */
export function composeSvg(svgs: readonly string[], { width, height, places }: Layout, paper: string): string {
  const inner = svgs.map((svg, at) => {
    const place = places[at]
    if (place === undefined) return ''
    const body = svg
      .replace(/^\s*<\?xml[^>]*\?>\s*/, '')
      .replace(/( id="|url\(#)(?=clip-)/g, `$1card-${String(at + 1)}-`)
    return `<svg x="${String(place.left)}" y="${String(place.top)}" width="${String(place.width)}" height="${String(place.height)}">${body}</svg>`
  })
  const size = `width="${String(width)}" height="${String(height)}" viewBox="0 0 ${String(width)} ${String(height)}"`
  return `<svg xmlns="http://www.w3.org/2000/svg" ${size}><rect width="100%" height="100%" fill="${paper}"/>${inner.join('')}</svg>`
}

export function viewSvg(cards: readonly PictureCard[], paper: string): string {
  return composeSvg(
    cards.map((card) => card.toSvg()),
    layout(cards.map(({ element }) => element.getBoundingClientRect())),
    paper,
  )
}

export function viewPng(cards: readonly PictureCard[], paper: string, scale: number): Blob {
  const { width, height, places } = layout(cards.map(({ element }) => element.getBoundingClientRect()))
  const canvas = document.createElement('canvas')
  canvas.width = width * scale
  canvas.height = height * scale
  const context = canvas.getContext('2d')
  if (context === null) throw new Error('the browser provided no canvas')
  context.fillStyle = paper
  context.fillRect(0, 0, canvas.width, canvas.height)
  for (const [at, card] of cards.entries()) {
    const place = places[at]
    if (place !== undefined) context.drawImage(card.toCanvas(scale), place.left * scale, place.top * scale)
  }
  return pngOf(canvas)
}
