// Spectrograms into pixels, and frequencies into places on them.
import type { Spectrogram } from '../api/audio'
import { parseHex, type Rgb } from '../lib/colour'

/** Levels this far below the strongest are the colour of the paper. */
const SHOWN_DECIBELS = 60
const STOPS = 6

/** A colour for each level from 0 to 255, out of the sequential ramp of the style sheet. */
export function ramp(style: CSSStyleDeclaration): readonly Rgb[] {
  const stops = Array.from(
    { length: STOPS },
    (_, at): Rgb => parseHex(style.getPropertyValue(`--seq-${String(at)}`).trim()) ?? [at * 51, at * 51, at * 51],
  )
  return Array.from({ length: 256 }, (_, level): Rgb => {
    const place = (level / 255) * (STOPS - 1)
    const low = Math.min(STOPS - 2, Math.floor(place))
    const [from, to] = [stops[low] ?? [0, 0, 0], stops[low + 1] ?? [0, 0, 0]]
    const mix = (at: 0 | 1 | 2): number => from[at] + (to[at] - from[at]) * (place - low)
    return [mix(0), mix(1), mix(2)]
  })
}

/** Paints one pixel for each column and row; the style sheet stretches the canvas. */
export function paintSpectrogram(canvas: HTMLCanvasElement, picture: Spectrogram, colours: readonly Rgb[]): void {
  const { columns, rows, levels, floor } = picture
  canvas.width = columns
  canvas.height = rows
  const context = canvas.getContext('2d')
  if (context === null) return
  let strongest = 0
  for (let at = 0; at < levels.length; at++) strongest = Math.max(strongest, levels[at] ?? 0)
  const span = (255 * SHOWN_DECIBELS) / Math.max(1, -floor)
  const pixels = context.createImageData(columns, rows)
  for (let column = 0; column < columns; column++) {
    for (let row = 0; row < rows; row++) {
      const level = levels[column * rows + row] ?? 0
      const shown = Math.round(255 * Math.min(1, Math.max(0, (level - strongest + span) / span)))
      const colour = colours[strongest === 0 ? 0 : shown] ?? [0, 0, 0]
      const at = 4 * ((rows - 1 - row) * columns + column)
      pixels.data.set([colour[0], colour[1], colour[2], 255], at)
    }
  }
  context.putImageData(pixels, 0, 0)
}

/** How far up a frequency is, from 0 to 1; null where the picture does not have it. */
export function placeOf(hertz: number, { edges, rows }: Spectrogram): number | null {
  for (let row = 0; row < rows; row++) {
    const [low, high] = [edges[row] ?? 0, edges[row + 1] ?? 0]
    if (hertz >= low && hertz <= high) return (row + (hertz - low) / Math.max(1e-9, high - low)) / rows
  }
  return null
}

const MARKS = [20_000, 10_000, 8000, 4000, 2000, 1000, 500, 200, 100, 50]

/** Frequencies worth a label, from the top, at least so far apart (as a share of the height). */
export function frequencyMarks(
  picture: Spectrogram,
  apart: number,
): readonly { readonly text: string; readonly place: number }[] {
  const marks: { text: string; place: number }[] = []
  for (const hertz of MARKS) {
    const place = placeOf(hertz, picture)
    if (place === null || place < apart / 2 || place > 1 - apart / 2) continue
    if (marks.every((other) => Math.abs(other.place - place) >= apart)) {
      marks.push({ text: hertz >= 1000 ? `${String(hertz / 1000)}k` : String(hertz), place })
    }
  }
  return marks
}

const INTERVALS = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 30, 60, 120, 300, 600, 1800, 3600]

// What is nearer to the end has no room for its label.
const LAST_LABEL = 0.9

/** Moments worth a label: at most so many, and the first is 0. */
export function timeMarks(seconds: number, most: number): readonly number[] {
  const interval = INTERVALS.find((one) => seconds / one <= most) ?? seconds / most
  if (!(seconds > 0) || !(interval > 0)) return [0]
  const marks = Array.from({ length: Math.floor(seconds / interval) + 1 }, (_, at) => at * interval)
  return marks.filter((mark) => mark <= LAST_LABEL * seconds)
}
