// What a link has of the images alone: layout, zoom, adjustments, the focused cell, and what is compared.
import { flag, joined, maybe, number, one, split, word, type Word } from '../../lib/query'

/** The scale and what is in the centre; the whole picture without it. */
export interface ZoomFact {
  readonly scale: number
  readonly x: number
  readonly y: number
}

/** The cell that the large view shows. */
export interface Focus {
  readonly tag: string
  readonly run: string
}

export const MODES = ['side', 'swipe', 'blink', 'difference', 'signed'] as const
export type Mode = (typeof MODES)[number]

/** One of two images; null is the run's item at the cursor. */
export interface Side {
  readonly run: string
  readonly step: number | null
}

export interface Comparison {
  readonly mode: Mode
  readonly a: Side
  readonly b: Side
}

export const PALETTE_NAMES = ['none', 'viridis', 'magma', 'turbo', 'signed'] as const
export type PaletteName = (typeof PALETTE_NAMES)[number]

function between(low: number, high: number): Word<number> {
  return {
    read: (text) => {
      const value = number(text)
      return value === undefined ? undefined : Math.min(high, Math.max(low, value))
    },
    write: (value) => String(Number(value.toFixed(3))),
  }
}

function whole(most: number): Word<number> {
  const any = between(0, most)
  return {
    read: (text) => {
      const value = any.read(text)
      return value === undefined ? undefined : Math.round(value)
    },
    write: any.write,
  }
}

/** `8@0.25,0.5` */
const zoom: Word<ZoomFact> = {
  read(text) {
    const [scale, x, y, ...more] = text.split(/[@,]/).map(number)
    if (scale === undefined || x === undefined || y === undefined || more.length > 0 || !(scale > 0)) return undefined
    const part = (value: number): number => Math.min(1, Math.max(0, value))
    return { scale: Math.min(64, Math.max(1 / 64, scale)), x: part(x), y: part(y) }
  },
  write: ({ scale, x, y }) => `${String(Number(scale.toFixed(3)))}@${x.toFixed(4)},${y.toFixed(4)}`,
}

const focus: Word<Focus> = {
  read(text) {
    const [tag, run, ...more] = split(text)
    return tag === undefined || run === undefined || more.length > 0 ? undefined : { tag, run }
  },
  write: ({ tag, run }) => joined([tag, run]),
}

const compare: Word<Comparison> = {
  read(text) {
    const [mode = '', runA, stepA = '', runB, stepB = ''] = split(text)
    const known = MODES.find((name) => name === mode)
    if (known === undefined || runA === undefined || runB === undefined) return undefined
    return { mode: known, a: { run: runA, step: number(stepA) ?? null }, b: { run: runB, step: number(stepB) ?? null } }
  },
  write: ({ mode, a, b }) => joined([mode, a.run, stepText(a), b.run, stepText(b)]),
}

function stepText({ step }: Side): string {
  return step === null ? '' : String(step)
}

export const imageFacts = {
  layout: one('images.layout', word('cards', 'grid'), 'cards', { history: 'step' }),
  rows: one('images.rows', word('tags', 'items'), 'tags', { history: 'step' }),
  /** Of those that were logged together. */
  item: one('images.item', whole(1e9), 0),
  /** Side of a cell of the grid, in pixels. */
  size: one('images.size', whole(512), 112),
  zoom: maybe('images.zoom', zoom),
  /** Whether the cells of the grid show the zoomed part, or all of it with a frame around that part. */
  areCellsZoomed: flag('images.zoomCells'),
  isSmooth: flag('images.smooth'),
  brightness: one('images.brightness', between(-1, 1), 0),
  contrast: one('images.contrast', between(0, 8), 1),
  gamma: one('images.gamma', between(0.1, 10), 1),
  palette: one('images.palette', word(...PALETTE_NAMES), 'none'),
  focus: maybe('images.focus', focus, { history: 'typing' }),
  compare: maybe('images.compare', compare, { history: 'typing' }),
}
