// A line as cards draw it: smoothed here where every point of it is there, so that another amount needs no request.
import { Ema, emaWeight } from '../../lib/smooth'
import type { LoadedLine } from './types'

interface Made {
  readonly weight: number
  readonly ema: Ema
  readonly from: LoadedLine
  readonly line: LoadedLine
}

// Of the amounts that a slider goes through, only the last are of use again.
const MOST_AMOUNTS = 2

/** Whether lines with every point need no smoothing by the server. */
export function isSmoothedHere(smoothing: string): boolean {
  return smoothing === 'none' || emaWeight(smoothing) !== null
}

/** What was made of one line; it grows with it. */
export class Smoothed {
  #made: readonly Made[] = []

  /** The same object as long as nothing changed. */
  of(line: LoadedLine, smoothing: string): LoadedLine {
    const { data } = line
    const weight = emaWeight(smoothing)
    if (weight === null || data.kind !== 'points' || data.smoothed !== null || data.x.length !== line.points)
      return line
    const before = this.#made.find((made) => made.weight === weight)
    if (before?.from === line) return before.line
    const ema = before?.ema ?? new Ema(weight)
    const made = { weight, ema, from: line, line: { ...line, data: { ...data, smoothed: ema.of(data.y) } } }
    this.#made = [made, ...this.#made.filter((other) => other !== before)].slice(0, MOST_AMOUNTS)
    return made.line
  }

  /** The line is another one, and not what it was with points behind it. */
  forget(): void {
    this.#made = []
  }
}
