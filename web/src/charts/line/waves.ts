// Made-up training runs for tests and timings: the same numbers every time.
import type { Line, LineStyle } from './types'

export const COLOURS = [
  '#2382fb',
  '#b45f44',
  '#1b7667',
  '#a48b0f',
  '#663db5',
  '#e25998',
  '#5a966b',
  '#6c420f',
  '#045474',
  '#964252',
  '#616e02',
  '#b458ba',
]

/** Numbers between 0 and 1 that look random (mulberry32). */
export function random(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }
}

export interface Wave {
  readonly x: Float64Array<ArrayBuffer>
  readonly y: Float32Array<ArrayBuffer>
  readonly smoothed: Float32Array<ArrayBuffer>
}

/** A loss that falls and gets quieter, and its moving average. */
export function loss(seed: number, points: number, last = 48_000): Wave {
  const next = random(seed)
  const floor = 0.2 + 0.3 * next()
  const speed = 3 + 5 * next()
  const x = new Float64Array(points)
  const y = new Float32Array(points)
  const smoothed = new Float32Array(points)
  let mean = 0
  let weight = 0
  for (let i = 0; i < points; i++) {
    const part = i / (points - 1)
    x[i] = Math.round(part * last)
    const trend = floor + 2.2 * Math.exp(-speed * part)
    y[i] = trend * (1 + (next() + next() - 1) * (0.08 + 0.3 * Math.exp(-2 * part)))
    mean = 0.9 * mean + 0.1 * (y[i] as number)
    weight = 0.9 * weight + 0.1
    smoothed[i] = mean / weight
  }
  return { x, y, smoothed }
}

export function lineOf(key: string, wave: Wave, style: Partial<LineStyle> = {}, isSmoothed = true): Line {
  const { x, y, smoothed } = wave
  return {
    key,
    label: key,
    before: null,
    after: null,
    isGrowing: false,
    data: { kind: 'points', x, y, smoothed: isSmoothed ? smoothed : null },
    style: { colour: COLOURS[0] as string, dash: 'solid', role: 'lead', ...style },
  }
}
