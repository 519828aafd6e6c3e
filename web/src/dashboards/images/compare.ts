// The difference of two images, pixel by pixel.
import { falseColour } from './adjust'

/** Bytes of pixels, four each. */
export interface Pixels {
  readonly width: number
  readonly height: number
  readonly data: Uint8ClampedArray
}

export interface Difference {
  readonly width: number
  readonly height: number
  /** Row by row, four bytes a pixel. */
  readonly data: Uint8ClampedArray<ArrayBuffer>
  /** Mean absolute difference of red, green and blue, from 0 to 255. */
  readonly mean: number
  /** The largest difference of a pixel, the mean of its channels. */
  readonly max: number
  /** Pixels that differ at all. */
  readonly count: number
}

/**
 * The mean difference of each pixel's channels, drawn from 0 to the largest: in one hue for absolute ones, in blue (B is darker) and red (B is
 * brighter) for signed ones. Null if the images differ in size.
 */
export function difference(a: Pixels, b: Pixels, isSigned: boolean): Difference | null {
  if (a.width !== b.width || a.height !== b.height) return null
  const pixels = a.width * a.height
  const means = new Float32Array(pixels)
  let [sum, max, count] = [0, 0, 0]
  for (let at = 0; at < pixels; at++) {
    let [absolute, signed] = [0, 0]
    for (let channel = 0; channel < 3; channel++) {
      const by = (b.data[4 * at + channel] ?? 0) - (a.data[4 * at + channel] ?? 0)
      absolute += Math.abs(by)
      signed += by
    }
    sum += absolute
    if (absolute > 0) count++
    max = Math.max(max, absolute / 3)
    means[at] = (isSigned ? signed : absolute) / 3
  }
  const data = new Uint8ClampedArray(4 * pixels)
  const scale = max === 0 ? 0 : 1 / max
  for (let at = 0; at < pixels; at++) {
    const part = (means[at] ?? 0) * scale
    const colour = isSigned ? falseColour('signed', 0.5 + part / 2) : falseColour('magma', part)
    data.set([255 * colour[0], 255 * colour[1], 255 * colour[2], 255], 4 * at)
  }
  return { width: a.width, height: a.height, data, mean: pixels === 0 ? 0 : sum / (3 * pixels), max, count }
}
