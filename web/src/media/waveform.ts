// Waveforms into pixels: one lane for each channel, what was played in full colour, the rest of it pale.
import type { Waveform } from '../api/audio'

export interface WaveColours {
  readonly wave: string
  readonly axis: string
}

// More lanes would be too thin to see anything; the first channels are drawn.
export const MOST_LANES = 4
const PALE = 0.42

/** Makes the canvas as sharp as the screen, and clears it. Null where the browser has no canvas. */
export function sharp(canvas: HTMLCanvasElement, width: number, height: number): CanvasRenderingContext2D | null {
  const ratio = window.devicePixelRatio || 1
  const [columns, rows] = [Math.max(1, Math.round(width * ratio)), Math.max(1, Math.round(height * ratio))]
  if (canvas.width !== columns) canvas.width = columns
  if (canvas.height !== rows) canvas.height = rows
  const context = canvas.getContext('2d')
  context?.setTransform(1, 0, 0, 1, 0, 0)
  context?.clearRect(0, 0, columns, rows)
  return context
}

/** Draws the lanes into the whole canvas; `played` is the share that was. */
export function drawWaveform(
  canvas: HTMLCanvasElement,
  waveform: Waveform,
  { width, height }: { readonly width: number; readonly height: number },
  colours: WaveColours,
  played: number,
): void {
  const context = sharp(canvas, width, height)
  if (context === null) return
  const { columns } = waveform
  const lanes = Math.min(MOST_LANES, waveform.channels)
  const laneHeight = canvas.height / lanes
  const full = Math.max(1, waveform.peak)
  for (let lane = 0; lane < lanes; lane++) {
    const middle = (lane + 0.5) * laneHeight
    const half = laneHeight / 2 - 1
    context.globalAlpha = 1
    context.fillStyle = colours.axis
    context.fillRect(0, Math.round(middle), canvas.width, 1)
    context.fillStyle = colours.wave
    for (let x = 0; x < canvas.width; x++) {
      const [low, high] = extremes(waveform, lane, x / canvas.width, (x + 1) / canvas.width)
      const top = middle - (high / full) * half
      const bottom = middle - (low / full) * half
      context.globalAlpha = x < played * canvas.width ? 1 : PALE
      context.fillRect(x, top, 1, Math.max(1, bottom - top))
    }
  }
  context.globalAlpha = 1

  function extremes({ min, max }: Waveform, lane: number, from: number, to: number): readonly [number, number] {
    const first = Math.min(columns - 1, Math.floor(from * columns))
    const end = Math.max(first + 1, Math.min(columns, Math.ceil(to * columns)))
    let [low, high] = [Infinity, -Infinity]
    for (let at = lane * columns + first; at < lane * columns + end; at++) {
      low = Math.min(low, min[at] ?? 0)
      high = Math.max(high, max[at] ?? 0)
    }
    return [low, high]
  }
}

/** `0:01.84`, `12:05.00` */
export function clock(seconds: number): string {
  if (!Number.isFinite(seconds)) return '–'
  // Rounded first, so that 59.999 s is a minute.
  const hundredths = Math.round(Math.max(0, seconds) * 100)
  const [minutes, rest] = [Math.floor(hundredths / 6000), hundredths % 6000]
  return `${String(minutes)}:${(rest / 100).toFixed(2).padStart(5, '0')}`
}
