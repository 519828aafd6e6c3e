// Clips of audio as the server draws them: waveforms and spectrograms in columns of pixels.
import type { Client } from './client'
import { numbers } from './columns'
import { list, nullable, number, object, text } from './shape'

/** Which clip: the value that was logged, and which of the clips in it. */
export interface ClipAddress {
  readonly instance: string
  readonly address: string
  readonly item: number
}

export interface Waveform {
  /** How many clips were logged together. */
  readonly items: number
  readonly sampleRate: number
  readonly channels: number
  readonly seconds: number
  /** `WAV, 16 bit` */
  readonly encoding: string
  /** What is odd about the clip, in a sentence. */
  readonly note: string | null
  /** Of each channel. */
  readonly columns: number
  /** The highest absolute value; 1 is full scale. */
  readonly peak: number
  /** In LUFS; null for silence. */
  readonly loudness: number | null
  /** One channel behind the other. */
  readonly min: ArrayLike<number>
  readonly max: ArrayLike<number>
}

export type FrequencyScale = 'mel' | 'log'

export interface Spectrogram {
  readonly columns: number
  readonly rows: number
  /** The level 0 in decibels; 255 is a sine of full scale. */
  readonly floor: number
  /** Column by column, the lowest frequency first. */
  readonly levels: ArrayLike<number>
  /** The edges of the rows in hertz: one more than there are rows. */
  readonly edges: ArrayLike<number>
}

const parseWaveform = object({
  items: number,
  sample_rate: number,
  channels: number,
  frames: number,
  encoding: text,
  note: nullable(text),
  columns: number,
  peak: number,
  loudness: nullable(number),
  not_finite: number,
})

const parseSpectrogram = object({ columns: number, rows: number, floor_decibels: number })

const parseItems = object({ value: object({ items: list(object({ content_type: text, bytes: number })) }) })

export async function waveform(
  client: Pick<Client, 'frame'>,
  { instance, address, item }: ClipAddress,
  columns: number,
  signal?: AbortSignal,
): Promise<Waveform> {
  const query = `item=${String(item)}&columns=${String(columns)}`
  const frame = await client.frame(`audio/${instance}/${address}/waveform?${query}`, null, signal)
  const { sample_rate, frames, note, not_finite, ...rest } = parseWaveform(frame.meta, 'waveform')
  const broken = not_finite === 0 ? null : `${String(not_finite)} samples are NaN or infinite and drawn as silence.`
  return {
    ...rest,
    sampleRate: sample_rate,
    seconds: frames / sample_rate,
    note: note !== null && broken !== null ? `${note} ${broken}` : (note ?? broken),
    min: numbers(frame, 'min'),
    max: numbers(frame, 'max'),
  }
}

export async function spectrogram(
  client: Pick<Client, 'frame'>,
  { instance, address, item }: ClipAddress,
  { columns, rows, scale }: { readonly columns: number; readonly rows: number; readonly scale: FrequencyScale },
  signal?: AbortSignal,
): Promise<Spectrogram> {
  const query = `item=${String(item)}&columns=${String(columns)}&rows=${String(rows)}&scale=${scale}`
  const frame = await client.frame(`audio/${instance}/${address}/spectrogram?${query}`, null, signal)
  const { floor_decibels, ...rest } = parseSpectrogram(frame.meta, 'spectrogram')
  return { ...rest, floor: floor_decibels, levels: numbers(frame, 'levels'), edges: numbers(frame, 'edges') }
}

/** Media type and size of each item of a value. */
export async function mediaItems(
  client: Pick<Client, 'json'>,
  instance: string,
  address: string,
  signal?: AbortSignal,
): Promise<readonly { readonly content_type: string; readonly bytes: number }[]> {
  const answer = await client.json(`blobs/${instance}/${address}?as=json`, null, signal)
  return parseItems(answer, 'blobs').value.items
}

/** Where the bytes of an item are. */
export function itemUrl(client: Pick<Client, 'url'>, { instance, address, item }: ClipAddress): string {
  return client.url(`blobs/${instance}/${address}?as=item&item=${String(item)}`).href
}
