// Colours as numbers: sRGB and OKLCH, between which ramps and generated palettes go.

export type Rgb = readonly [red: number, green: number, blue: number]
/** Lightness 0 to 1, chroma from 0, hue in degrees. */
export type Oklch = readonly [lightness: number, chroma: number, hue: number]
type Oklab = readonly [lightness: number, a: number, b: number]

/** From `#rrggbb`, each 0 to 255; null for anything else. */
export function parseHex(hex: string): Rgb | null {
  if (!/^#[0-9a-f]{6}$/i.test(hex)) return null
  const value = Number.parseInt(hex.slice(1), 16)
  return [value >> 16, (value >> 8) & 255, value & 255]
}

export function toHex(rgb: Rgb): string {
  return `#${rgb
    .map((part) =>
      Math.round(Math.min(255, Math.max(0, part)))
        .toString(16)
        .padStart(2, '0'),
    )
    .join('')}`
}

function linear(part: number): number {
  const value = part / 255
  return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
}

function encoded(value: number): number {
  return 255 * (value <= 0.0031308 ? 12.92 * value : 1.055 * value ** (1 / 2.4) - 0.055)
}

// The matrices are those of Björn Ottosson's definition of Oklab.
function toOklab(rgb: Rgb): Oklab {
  const [r, g, b] = [linear(rgb[0]), linear(rgb[1]), linear(rgb[2])]
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b)
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b)
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b)
  return [
    0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s,
    0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s,
  ]
}

/** Parts outside 0 to 255 are colours that no screen has. */
function fromOklab([lightness, a, b]: Oklab): Rgb {
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3
  return [
    encoded(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s),
    encoded(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s),
    encoded(-0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s),
  ]
}

export function toOklch(rgb: Rgb): Oklch {
  const [lightness, a, b] = toOklab(rgb)
  return [lightness, Math.hypot(a, b), ((Math.atan2(b, a) * 180) / Math.PI + 360) % 360]
}

/** The nearest colour of this lightness and hue that a screen can show: chroma gives way. */
export function fromOklch([lightness, chroma, hue]: Oklch): Rgb {
  const angle = (hue * Math.PI) / 180
  const at = (part: number): Rgb => fromOklab([lightness, part * Math.cos(angle), part * Math.sin(angle)])
  const isShowable = (rgb: Rgb): boolean => rgb.every((part) => part >= -0.5 && part <= 255.5)
  if (isShowable(at(chroma))) return at(chroma)
  let low = 0
  let high = chroma
  for (let round = 0; round < 12; round++) {
    const middle = (low + high) / 2
    if (isShowable(at(middle))) low = middle
    else high = middle
  }
  return at(low)
}

/** The colour a part of the way from one to the other, as the eye sees the way. */
export function mix(from: string, to: string, part: number): string {
  const start = parseHex(from)
  const end = parseHex(to)
  if (start === null || end === null) return from
  const [a, b] = [toOklab(start), toOklab(end)]
  return toHex(fromOklab([a[0] + (b[0] - a[0]) * part, a[1] + (b[1] - a[1]) * part, a[2] + (b[2] - a[2]) * part]))
}

/** The colour at `part`, 0 to 1, of a way through `stops`. */
export function ramp(stops: readonly string[], part: number): string {
  const place = Math.min(1, Math.max(0, part)) * (stops.length - 1)
  const before = Math.min(Math.floor(place), stops.length - 2)
  const [from, to] = [stops[before], stops[before + 1]]
  if (from === undefined || to === undefined) return stops[0] ?? '#000000'
  return mix(from, to, place - before)
}

/** How much lighter one is than the other, 1 to 21, as WCAG counts. */
export function contrast(one: string, other: string): number {
  const [a, b] = [luminance(one), luminance(other)]
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05)
}

function luminance(hex: string): number {
  const rgb = parseHex(hex) ?? [0, 0, 0]
  return 0.2126 * linear(rgb[0]) + 0.7152 * linear(rgb[1]) + 0.0722 * linear(rgb[2])
}
