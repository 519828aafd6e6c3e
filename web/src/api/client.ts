// Questions to the server. Addresses are relative to the page's own, so that they hold below any path.
import type { Parse } from './shape'
import { parseRunPage, parseStatus, type RunPage, type Status } from './types'

/** A request that got no answer, or one that says why not. */
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

export interface Client {
  status(): Promise<Status>
  /** The first runs by name. */
  runs(limit: number): Promise<RunPage>
  /** The address of the stream of events. */
  readonly liveUrl: URL
  readonly ask: Ask
}

/** `page` is the address of the page. */
export function client(page: string, ask: Ask = (url, options) => fetch(url, options)): Client {
  const api = new URL('api/v1/', page)
  const get = async <T>(path: string, parse: Parse<T>): Promise<T> => {
    const response = await answered(ask(new URL(path, api), { headers: { Accept: 'application/json' } }))
    return parse(await json(response), path)
  }
  return {
    status: () => get('status', parseStatus),
    runs: (limit) => get(`runs?limit=${String(limit)}`, parseRunPage),
    liveUrl: new URL('live', api),
    ask,
  }
}

async function answered(response: Promise<Response>): Promise<Response> {
  try {
    return await response
  } catch {
    throw new RequestError(0, 'the server does not answer')
  }
}

async function json(response: Response): Promise<unknown> {
  let body: unknown
  try {
    body = await response.json()
  } catch {
    // A proxy may answer with a page of its own.
    throw new RequestError(response.status, `something else answers instead of the server: HTTP ${String(response.status)}`)
  }
  if (response.ok) return body
  throw new RequestError(response.status, sentence(body) ?? `HTTP ${String(response.status)}`)
}

function sentence(body: unknown): string | undefined {
  if (typeof body !== 'object' || body === null || !('error' in body)) return undefined
  return typeof body.error === 'string' ? body.error : undefined
}
