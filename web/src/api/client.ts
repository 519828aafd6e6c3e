// Requests to the server. URLs are relative to the page's own, so that they work below any path.
import { parseBlobs, type BlobsAnswer, type BlobsQuery } from './blobs'
import { decodeFrame, type Frame } from './columns'
import { parseCuration, type CurationAnswer, type Edit } from './curation'
import { parseThumbnails, type PictureName, type Thumbnail } from './images'
import { meshPath, parseMesh, parseMeshPage, type MeshAddress, type MeshData, type MeshPage } from './mesh'
import { parseSeries, type SeriesAnswer, type SeriesQuery } from './series'
import type { Parse } from './shape'
import { parseSummary, type SummaryAnswer, type SummaryQuery } from './summary'
import { parseTensors, parseTensorValues, type TensorInfo, type TensorPart, type TensorValues } from './tensors'
import { parseTextResults, parseTexts, type TextContent, type TextQuery, type TextResults } from './text'
import {
  parseDamagePage,
  parseFindings,
  parseHParamsPage,
  parseRestarts,
  parseRunPage,
  parseStatus,
  parseTagPage,
  type DamagePage,
  type Finding,
  type HParamsPage,
  type Restart,
  type RunPage,
  type Status,
  type TagPage,
} from './types'

/** A request without a response, or with an error response. */
export class RequestError extends Error {
  override readonly name = 'RequestError'
  /** `status` is 0 when nothing came back. */
  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message)
  }
}

export type Ask = (url: URL, options: RequestInit) => Promise<Response>

/** A page of a list; `after` is the `next` of the page before it. */
export interface PageOf {
  readonly limit: number
  readonly after?: string | null
}

/** Every point of these in long form: `run,tag,step,wall_time,value`. */
export interface ExportQuery {
  readonly cards: readonly {
    readonly tag?: string
    readonly expression?: string
    readonly runs: readonly string[] | null
  }[]
  readonly format: 'csv' | 'json'
}

export interface Client {
  status(): Promise<Status>
  /** Sorted by name, or the last changed first. */
  runs(page: PageOf & { readonly sort?: 'name' | 'change' }): Promise<RunPage>
  /** Of all runs, or of these. */
  tags(page: PageOf & { readonly dashboard?: string; readonly runs?: readonly string[] }): Promise<TagPage>
  series(query: SeriesQuery, signal?: AbortSignal): Promise<SeriesAnswer>
  summary(query: SummaryQuery, signal?: AbortSignal): Promise<SummaryAnswer>
  /** The blobs of many series. */
  blobs(query: BlobsQuery, signal?: AbortSignal): Promise<BlobsAnswer>
  /** What this tensor is. */
  describeTensor(instance: string, address: string, signal?: AbortSignal): Promise<TensorInfo>
  /** Some rows and columns of a tensor. */
  tensorValues(instance: string, address: string, part: TensorPart, signal?: AbortSignal): Promise<TensorValues>
  /** The texts with these addresses, in their order; the last of many may be left out. */
  texts(instance: string, addresses: readonly string[], signal?: AbortSignal): Promise<readonly TextContent[]>
  /** What is found in texts. */
  searchTexts(query: TextQuery, signal?: AbortSignal): Promise<TextResults>
  /** The meshes of all runs. */
  meshes(page: PageOf): Promise<MeshPage>
  /** One item of a mesh, its parts put together. */
  mesh(address: MeshAddress, signal?: AbortSignal): Promise<MeshData>
  /** Where a blob can be downloaded: as it was logged, or a tensor as numpy reads it. */
  blobUrl(instance: string, address: string, as: 'raw' | 'npy'): URL
  /** Copies of images that are at most `size` pixels wide and high; the last may be missing. */
  thumbnails(
    instance: string,
    size: number,
    pictures: readonly PictureName[],
    signal?: AbortSignal,
  ): Promise<readonly Thumbnail[]>
  /** Where an image or clip is, as it was logged. */
  itemUrl(instance: string, address: string, item: number): URL
  /** Where a copy of an image is that is at most `size` pixels wide and high. */
  thumbnailUrl(instance: string, address: string, item: number, size: number): URL
  /** Images as they were logged, in a zip file; names are without endings. */
  imageArchive(
    instance: string,
    pictures: readonly (PictureName & { readonly name: string })[],
    signal?: AbortSignal,
  ): Promise<Blob>
  hparams(page: PageOf): Promise<HParamsPage>
  doctor(): Promise<readonly Finding[]>
  restarts(runs: readonly string[]): Promise<readonly Restart[]>
  damage(page: PageOf): Promise<DamagePage>
  curation(): Promise<CurationAnswer>
  /** All of the edits are made, or none. */
  edit(edits: readonly Edit[]): Promise<CurationAnswer>
  /** Every point of many series, as it comes. */
  export(query: ExportQuery, signal?: AbortSignal): Promise<Blob>
  /** Where every point of one series can be downloaded, as TensorBoard writes them. */
  downloadUrl(run: string, tag: string, format: 'csv' | 'json'): URL
  /** A column frame, for what is parsed by code that is loaded when it is needed: the answer to a body, or to none. */
  frame(path: string, body: unknown, signal?: AbortSignal): Promise<Frame>
  /** JSON, likewise. */
  json(path: string, body: unknown, signal?: AbortSignal): Promise<unknown>
  /** The address of anything below the API. */
  url(path: string): URL
  /** The address of the stream of events. */
  readonly liveUrl: URL
  readonly ask: Ask
}

/** `page` is the address of the page. */
export function client(page: string, ask: Ask = (url, options) => fetch(url, options)): Client {
  const api = new URL('api/v1/', page)

  const get = async <T>(path: string, parse: Parse<T>): Promise<T> => {
    const response = await answered(ask(new URL(path, api), { headers: { Accept: 'application/json' } }))
    return parse(await json(response), path.split('?')[0] ?? path)
  }
  const send = (method: string, path: string, body: unknown, signal?: AbortSignal): Promise<Response> => {
    const headers = { 'Content-Type': 'application/json' }
    return answered(
      ask(new URL(path, api), { method, headers, body: JSON.stringify(body), signal: signal ?? null }),
      signal,
    )
  }
  const request = (path: string, body: unknown, signal?: AbortSignal): Promise<Response> =>
    body === null
      ? answered(ask(new URL(path, api), { signal: signal ?? null }), signal)
      : send('POST', path, body, signal)
  const frame = async (path: string, body: unknown, signal?: AbortSignal): Promise<Frame> => {
    const response = await request(path, body, signal)
    if (!response.ok) await json(response)
    return decodeFrame(await answered(response.arrayBuffer(), signal))
  }

  return {
    status: () => get('status', parseStatus),
    runs: ({ sort, ...page }) =>
      get(`runs?${paged(page, sort === 'change' ? { sort, order: 'desc' } : {})}`, parseRunPage),
    tags: ({ dashboard, runs = [], ...page }) => {
      const query = paged(page, dashboard === undefined ? {} : { dashboard })
      return get(`tags?${query}${runs.map((run) => `&run=${encodeURIComponent(run)}`).join('')}`, parseTagPage)
    },
    series: async (query, signal) => parseSeries(await frame('scalars/series', query, signal)),
    summary: async (query, signal) => parseSummary(await frame('scalars/summary', query, signal)),
    blobs: async (query, signal) => parseBlobs(await frame('blobs/list', query, signal)),
    describeTensor: async (instance, address, signal) => {
      const answer = await json(await send('POST', 'tensors/describe', { instance, addresses: [address] }, signal))
      const [tensor] = parseTensors(answer, 'tensors/describe').tensors
      if (tensor === undefined) throw new RequestError(0, 'the server did not describe the tensor')
      return tensor
    },
    tensorValues: async (instance, address, { index, rows, columns }, signal) => {
      const query = `?index=${index.join(',')}&rows=${rows.join(':')}&columns=${columns.join(':')}`
      const response = await answered(
        ask(new URL(`tensors/${instance}/${address}/values${query}`, api), {
          headers: { Accept: 'application/json' },
          signal: signal ?? null,
        }),
        signal,
      )
      return parseTensorValues(await json(response), 'tensors/values')
    },
    texts: async (instance, addresses, signal) => {
      const answer = await json(await send('POST', 'text/read', { instance, addresses }, signal))
      return parseTexts(answer, 'text/read').texts
    },
    searchTexts: async (query, signal) =>
      parseTextResults(await json(await send('POST', 'text/search', query, signal)), 'text/search'),
    meshes: (page) => get(`mesh?${paged(page)}`, parseMeshPage),
    mesh: async (address, signal) => {
      const response = await answered(ask(new URL(meshPath(address), api), { signal: signal ?? null }), signal)
      if (!response.ok) await json(response)
      return parseMesh(decodeFrame(await answered(response.arrayBuffer(), signal)))
    },
    blobUrl: (instance, address, as) => new URL(`blobs/${instance}/${address}?as=${as}`, api),
    thumbnails: async (instance, size, pictures, signal) =>
      parseThumbnails(await frame('images/thumbnails', { instance, size, pictures }, signal)),
    itemUrl: (instance, address, item) => new URL(`blobs/${instance}/${address}?as=item&item=${String(item)}`, api),
    thumbnailUrl: (instance, address, item, size) =>
      new URL(`images/${instance}/${address}/thumbnail?item=${String(item)}&size=${String(size)}`, api),
    imageArchive: async (instance, pictures, signal) => {
      const response = await send('POST', 'images/archive', { instance, pictures }, signal)
      if (!response.ok) await json(response)
      return answered(response.blob(), signal)
    },
    hparams: (page) => get(`hparams?${paged(page)}`, parseHParamsPage),
    doctor: async () => (await get('doctor', parseFindings)).findings,
    restarts: async (runs) =>
      (await get(`restarts?${String(new URLSearchParams(runs.map((run) => ['run', run])))}`, parseRestarts)).restarts,
    damage: (page) => get(`damage?${paged(page)}`, parseDamagePage),
    curation: () => get('curation', parseCuration),
    edit: async (edits) => parseCuration(await json(await send('PATCH', 'curation', { set: edits })), 'curation'),
    export: async (query, signal) => {
      const response = await send('POST', 'scalars/export', query, signal)
      if (!response.ok) await json(response)
      return answered(response.blob(), signal)
    },
    downloadUrl: (run, tag, format) =>
      new URL(`scalars/download?${String(new URLSearchParams({ run, tag, format }))}`, api),
    frame,
    json: async (path, body, signal) => json(await request(path, body, signal)),
    url: (path) => new URL(path, api),
    liveUrl: new URL('live', api),
    ask,
  }
}

function paged({ limit, after }: PageOf, others: Readonly<Record<string, string>> = {}): string {
  const cursor: Record<string, string> = after === undefined || after === null ? {} : { after }
  return String(new URLSearchParams({ ...others, limit: String(limit), ...cursor }))
}

/** A request that its caller aborted stays an abort; every other failure here is the network's. */
async function answered<T>(response: Promise<T>, signal?: AbortSignal): Promise<T> {
  try {
    return await response
  } catch (error) {
    if (signal?.aborted === true) throw error
    throw new RequestError(0, 'the server is not responding')
  }
}

async function json(response: Response): Promise<unknown> {
  let body: unknown
  try {
    body = await response.json()
  } catch {
    // A proxy may answer with a page of its own.
    throw new RequestError(
      response.status,
      `unexpected response (HTTP ${String(response.status)}), perhaps from a proxy`,
    )
  }
  if (response.ok) return body
  throw new RequestError(response.status, sentence(body) ?? `HTTP ${String(response.status)}`)
}

function sentence(body: unknown): string | undefined {
  if (typeof body !== 'object' || body === null || !('error' in body)) return undefined
  return typeof body.error === 'string' ? body.error : undefined
}
