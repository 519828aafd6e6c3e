// Pictures as the browser draws them: small copies that the server makes, and whole ones.
import type { Client } from '../api/client'
import type { PictureFacts, Thumbnail } from '../api/images'
import { Loader } from './loader'

export interface PictureWish {
  readonly instance: string
  readonly address: string
  readonly item: number
}

export interface ThumbnailWish extends PictureWish {
  /** Its longest side in pixels of the screen, see `thumbnailSize`. */
  readonly size: number
}

/** A picture that was decoded, or what is wrong with it. */
export interface Drawn {
  readonly facts: PictureFacts
  /** Null if there is an error. */
  readonly bitmap: ImageBitmap | null
  /** Whether red, green and blue are the same: many writers repeat a single channel. */
  readonly isGrey: boolean
}

/** A larger one is shown as a copy only. */
export const MOST_PIXELS = 32_000_000
const MOST_THUMBNAIL_BYTES = 64 << 20
const MOST_WHOLE_BYTES = 256 << 20
const SIZES = [64, 128, 256, 512, 1024]

/** Few sizes, so that copies that exist can be used again. */
export function thumbnailSize(pixels: number): number {
  return SIZES.find((size) => size >= pixels) ?? 1024
}

const weightOf = ({ bitmap }: Drawn): number => 256 + (bitmap === null ? 0 : 4 * bitmap.width * bitmap.height)

const NOTHING: PictureFacts = {
  items: 0,
  bytes: 0,
  mediaType: null,
  width: 0,
  height: 0,
  channels: 0,
  bitDepth: 0,
  error: null,
}

/** Values as they are in the file: no colour profile and no multiplication by alpha changes them. */
async function decoded(copy: Blob): Promise<ImageBitmap> {
  return createImageBitmap(copy, { colorSpaceConversion: 'none', premultiplyAlpha: 'none' })
}

async function drawn({ facts, copy }: Thumbnail): Promise<Drawn> {
  if (copy === null) return { facts, bitmap: null, isGrey: false }
  try {
    const bitmap = await decoded(copy)
    return { facts, bitmap, isGrey: facts.channels <= 2 || isGrey(bitmap) }
  } catch {
    return { facts: { ...facts, error: 'The browser cannot decode it' }, bitmap: null, isGrey: false }
  }
}

function failed(error: unknown): Drawn {
  return {
    facts: { ...NOTHING, error: error instanceof Error ? error.message : 'It could not be loaded' },
    bitmap: null,
    isGrey: false,
  }
}

export type Thumbnails = Loader<ThumbnailWish, Drawn>

export function thumbnails(client: Pick<Client, 'thumbnails'>): Thumbnails {
  return new Loader<ThumbnailWish, Drawn>({
    keyOf: ({ instance, address, item, size }) => `${instance} ${address} ${String(item)} ${String(size)}`,
    groupOf: ({ instance, size }) => `${instance} ${String(size)}`,
    // Some come soon while others are made.
    batch: 24,
    parallel: 4,
    load: async (wishes, signal) => {
      const [first] = wishes
      if (first === undefined) return []
      const names = wishes.map(({ address, item }) => ({ address, item }))
      return Promise.all((await client.thumbnails(first.instance, first.size, names, signal)).map(drawn))
    },
    failed,
    weightOf,
    most: MOST_THUMBNAIL_BYTES,
  })
}

export type Wholes = Loader<PictureWish, Drawn>

/** Pictures as they were logged. Their facts are only their size. */
export function wholes(client: Pick<Client, 'itemUrl' | 'ask'>): Wholes {
  return new Loader<PictureWish, Drawn>({
    keyOf: ({ instance, address, item }) => `${instance} ${address} ${String(item)}`,
    groupOf: ({ instance, address, item }) => `${instance} ${address} ${String(item)}`,
    batch: 1,
    parallel: 4,
    load: async ([wish], signal) => {
      if (wish === undefined) return []
      const response = await client.ask(client.itemUrl(wish.instance, wish.address, wish.item), { signal })
      if (!response.ok) throw new Error('The server cannot read it')
      const bitmap = await decoded(await response.blob())
      return [{ facts: { ...NOTHING, items: 1, width: bitmap.width, height: bitmap.height }, bitmap, isGrey: false }]
    },
    failed,
    weightOf,
    most: MOST_WHOLE_BYTES,
  })
}

const SAMPLED = 48
// What JPEG may change.
const SAME = 3

function isGrey(bitmap: ImageBitmap): boolean {
  const context = new OffscreenCanvas(SAMPLED, SAMPLED).getContext('2d', { willReadFrequently: true })
  if (!context) return false
  context.drawImage(bitmap, 0, 0, SAMPLED, SAMPLED)
  const { data } = context.getImageData(0, 0, SAMPLED, SAMPLED)
  for (let at = 0; at < data.length; at += 4) {
    const [red = 0, green = 0, blue = 0] = data.subarray(at, at + 3)
    if (Math.abs(red - green) > SAME || Math.abs(green - blue) > SAME) return false
  }
  return true
}

let reader: OffscreenCanvasRenderingContext2D | null | undefined

/** Red, green, blue and alpha of one pixel. */
export function pixel(bitmap: ImageBitmap, x: number, y: number): readonly [number, number, number, number] | null {
  reader ??= new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true })
  if (!reader) return null
  reader.clearRect(0, 0, 1, 1)
  reader.drawImage(bitmap, x, y, 1, 1, 0, 0, 1, 1)
  const [red = 0, green = 0, blue = 0, alpha = 0] = reader.getImageData(0, 0, 1, 1).data
  return [red, green, blue, alpha]
}

/** All pixels, row by row, four bytes each. */
export function pixels(bitmap: ImageBitmap): ImageData | null {
  const context = new OffscreenCanvas(bitmap.width, bitmap.height).getContext('2d', { willReadFrequently: true })
  if (!context) return null
  context.drawImage(bitmap, 0, 0)
  return context.getImageData(0, 0, bitmap.width, bitmap.height)
}
