// Brightness, contrast, gamma and false colours as tables of a filter, and of single values.
import type { PaletteName } from './facts'

export interface Adjustment {
  readonly brightness: number
  readonly contrast: number
  readonly gamma: number
}

/** The value of a sample, from 0 to 1, after the adjustment. */
export function adjusted(value: number, { brightness, contrast, gamma }: Adjustment): number {
  const bent = gamma === 1 ? value : value ** (1 / gamma)
  return Math.min(1, Math.max(0, (bent - 0.5) * contrast + 0.5 + brightness))
}

export function isPlain({ brightness, contrast, gamma }: Adjustment): boolean {
  return brightness === 0 && contrast === 1 && gamma === 1
}

type Rgb = readonly [number, number, number]

// Nine stops each of matplotlib's viridis and magma, and of Google's turbo: between them the eye sees no difference.
const STOPS: Readonly<Record<Exclude<PaletteName, 'none'>, readonly number[]>> = {
  viridis: [0x440154, 0x472d7b, 0x3b528b, 0x2c728e, 0x21918c, 0x28ae80, 0x5ec962, 0xaddc30, 0xfde725],
  magma: [0x000004, 0x1d1147, 0x51127c, 0x832681, 0xb73779, 0xe75263, 0xfc8961, 0xfec488, 0xfcfdbf],
  turbo: [0x30123b, 0x4668e0, 0x2ab3ef, 0x1be5b5, 0x7cfe5a, 0xd2e935, 0xfba238, 0xe3440a, 0x7a0403],
  // Blue below the centre, red above it, paper in between.
  signed: [0x1c4f9c, 0x4f86c6, 0x8db8de, 0xc9dcec, 0xf6f5f1, 0xf0cfc4, 0xe19a86, 0xc95a4b, 0x97202b],
}

/** The colour of a value from 0 to 1, its parts from 0 to 1. */
export function falseColour(name: Exclude<PaletteName, 'none'>, value: number): Rgb {
  const stops = STOPS[name]
  const place = Math.min(1, Math.max(0, value)) * (stops.length - 1)
  const at = Math.min(stops.length - 2, Math.floor(place))
  const part = place - at
  const channel = (shift: number): number => {
    const [from, to] = [at, at + 1].map((stop) => (((stops[stop] ?? 0) >> shift) & 255) / 255) as [number, number]
    return from + (to - from) * part
  }
  return [channel(16), channel(8), channel(0)]
}

// Linear pieces between so many entries are finer than a step of 8 bits.
const ENTRIES = 65

/** The entries of `feFuncR`, `feFuncG` and `feFuncB`; each is a text of numbers. */
export function tables(adjustment: Adjustment, palette: PaletteName): readonly [string, string, string] {
  const rows = Array.from({ length: ENTRIES }, (_, at): Rgb => {
    const value = adjusted(at / (ENTRIES - 1), adjustment)
    return palette === 'none' ? [value, value, value] : falseColour(palette, value)
  })
  const text = (channel: 0 | 1 | 2): string => rows.map((row) => row[channel].toFixed(4)).join(' ')
  return [text(0), text(1), text(2)]
}
