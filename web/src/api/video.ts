// Videos as the server describes them, and the frames of GIF files.
import type { Client } from './client'
import { numbers } from './columns'
import { list, nullable, number, object, text } from './shape'

/** Which video: the value that was logged, and which of the videos in it. */
export interface VideoAddress {
  readonly instance: string
  readonly address: string
  readonly item: number
}

export interface VideoInfo {
  /** How many were logged together. */
  readonly items: number
  /** Null for what is no video. */
  readonly container: 'gif' | 'mp4' | 'webm' | null
  readonly bytes: number
  /** Of a GIF that can be decoded, as is the height; null otherwise. */
  readonly width: number | null
  readonly height: number | null
  /** How long each frame of a GIF is shown. */
  readonly delays: readonly number[] | null
  /** What is odd about it, in a sentence. */
  readonly note: string | null
  /** Why the frames of a GIF cannot be shown. */
  readonly error: string | null
}

const parse = object({
  items: number,
  container: nullable(text),
  bytes: number,
  width: nullable(number),
  height: nullable(number),
  delays_millis: nullable(list(number)),
  note: nullable(text),
  error: nullable(text),
})

const pathOf = ({ instance, address }: VideoAddress): string => `video/${instance}/${address}`

export async function describeVideo(
  client: Pick<Client, 'json'>,
  place: VideoAddress,
  signal?: AbortSignal,
): Promise<VideoInfo> {
  const answer = await client.json(`${pathOf(place)}?item=${String(place.item)}`, null, signal)
  const { container, delays_millis, ...rest } = parse(answer, 'video')
  const known = (['gif', 'mp4', 'webm'] as const).find((one) => one === container) ?? null
  return { ...rest, container: known, delays: delays_millis }
}

/** Some frames of a GIF as PNG files: fewer where it ends, or where they would be too large together. */
export async function videoFrames(
  client: Pick<Client, 'frame'>,
  place: VideoAddress,
  wanted: { readonly first: number; readonly count: number; readonly stride?: number; readonly width?: number },
  signal?: AbortSignal,
): Promise<readonly Blob[]> {
  const query = Object.entries({ item: place.item, ...wanted }).map(([name, value]) => `${name}=${String(value)}`)
  const frame = await client.frame(`${pathOf(place)}/frames?${query.join('&')}`, null, signal)
  const [offsets, data] = [numbers(frame, 'offset'), frame.columns.get('data')]
  if (!(data instanceof Uint8Array)) return []
  return Array.from(offsets.subarray(1), (end, at) => {
    return new Blob([data.slice(offsets[at] ?? 0, end)], { type: 'image/png' })
  })
}

/** Where the bytes of a video are. */
export function videoUrl(client: Pick<Client, 'url'>, { instance, address, item }: VideoAddress): string {
  return client.url(`blobs/${instance}/${address}?as=item&item=${String(item)}`).href
}
