// What logged images are, and small copies of them, out of a column frame.
import type { Frame } from './columns'
import { FrameError } from './columns'
import { list, nullable, number, object, text } from './shape'

/** One image: the blob that it was logged in, and its number there. */
export interface PictureName {
  readonly address: string
  readonly item: number
}

export interface PictureFacts {
  /** How many images were logged together. */
  readonly items: number
  /** Of its file. */
  readonly bytes: number
  /** Null, and all numbers 0, if there is an error. */
  readonly mediaType: string | null
  readonly width: number
  readonly height: number
  readonly channels: number
  readonly bitDepth: number
  /** `PNG cut short: 12.4 of 31 kB` */
  readonly error: string | null
}

export interface Thumbnail {
  readonly facts: PictureFacts
  /** Null if there is an error. */
  readonly copy: Blob | null
}

const parseMeta = object({
  pictures: list(
    object({
      items: number,
      bytes: number,
      media_type: nullable(text),
      width: number,
      height: number,
      channels: number,
      bit_depth: number,
      error: nullable(text),
      start: number,
      length: number,
      thumbnail_type: nullable(text),
    }),
  ),
})

/** In the order of the request; the last may be missing. Throws ShapeError or FrameError when the frame has none. */
export function parseThumbnails(frame: Frame): readonly Thumbnail[] {
  const { pictures } = parseMeta(frame.meta, 'meta')
  const data = frame.columns.get('data')
  if (!(data instanceof Uint8Array)) throw new FrameError('the frame lacks the column data')
  return pictures.map((one) => ({
    facts: {
      items: one.items,
      bytes: one.bytes,
      mediaType: one.media_type,
      width: one.width,
      height: one.height,
      channels: one.channels,
      bitDepth: one.bit_depth,
      error: one.error,
    },
    copy:
      one.thumbnail_type === null
        ? null
        : new Blob([data.subarray(one.start, one.start + one.length)], { type: one.thumbnail_type }),
  }))
}
