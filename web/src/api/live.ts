// What changes, as it changes: one stream of events, resumed where it broke off, or polling where a proxy buffers it.
import { EventParser, type ServerEvent } from './events'
import type { Ask } from './client'
import { flag, list, number, object, text } from './shape'
import { parseProgress, type Progress } from './types'

export type LiveEvent =
  | { readonly kind: 'hello'; readonly instance: string; readonly change: number }
  | { readonly kind: 'reset'; readonly instance: string }
  | { readonly kind: 'progress'; readonly progress: Progress }
  | { readonly kind: 'curation'; readonly revision: string }
  | ({ readonly kind: 'change' } & Changed)

export interface Changed {
  readonly change: number
  /** Runs with new data. */
  readonly runs: readonly string[]
  /** Those of them whose tags changed. */
  readonly tags: readonly string[]
  readonly removed: readonly string[]
  /** Too many to name. */
  readonly all: boolean
}

/** `denied`: the server requires a login; `polling`: it answers, but no stream comes through. */
export type Connection = 'connecting' | 'live' | 'polling' | 'lost' | 'denied'

export interface Listener {
  event(event: LiveEvent): void
  connection(connection: Connection): void
  /** Asks for the number of the last change, where no stream comes through. */
  poll(): Promise<number>
}

// The server says hello at once, and something every 15 seconds.
const HELLO_MILLIS = 5_000
const SILENCE_MILLIS = 40_000
const POLL_MILLIS = 5_000
const POLLS_PER_TRY = 12
const FIRST_WAIT_MILLIS = 500
const LONGEST_WAIT_MILLIS = 15_000

const parseHello = object<{ instance: string; change: number }>({ instance: text, change: number })
const parseReset = object<{ instance: string }>({ instance: text })
const parseCuration = object<{ revision: string }>({ revision: text })
const parseChanged = object<Changed>({
  change: number,
  runs: list(text),
  tags: list(text),
  removed: list(text),
  all: flag,
})

/** The event, or undefined if it is of a kind that this page does not know. Throws ShapeError. */
export function parseEvent({ name, data }: ServerEvent): LiveEvent | undefined {
  const value: unknown = JSON.parse(data)
  switch (name) {
    case 'hello':
      return { kind: name, ...parseHello(value, name) }
    case 'reset':
      return { kind: name, ...parseReset(value, name) }
    case 'progress':
      return { kind: name, progress: parseProgress(value, name) }
    case 'curation':
      return { kind: name, ...parseCuration(value, name) }
    case 'change':
      return { kind: name, ...parseChanged(value, name) }
    default:
      return undefined
  }
}

type Outcome = 'ended' | 'silent' | 'denied' | 'failed'

/**
 * Follows the stream at a URL from `resume` on.
 *
 *   listening ──▶ ended (said hello, then broke off) ── short wait ──▶ listening
 *       ├──────▶ silent (no hello in time)           ── polling for a minute ──▶ listening
 *       └──────▶ denied, failed                      ── longer and longer waits ──▶ listening
 */
export class LiveStream {
  readonly #url: URL
  readonly #ask: Ask
  readonly #listener: Listener
  #lastId = ''
  #running: AbortController | undefined

  constructor(url: URL, ask: Ask, listener: Listener) {
    this.#url = url
    this.#ask = ask
    this.#listener = listener
  }

  /** Closes the stream until `resume`; what happens meanwhile is reported then. */
  pause(): void {
    this.#running?.abort()
    this.#running = undefined
  }

  resume(): void {
    if (this.#running !== undefined) return
    this.#running = new AbortController()
    void this.#keepListening(this.#running.signal)
  }

  async #keepListening(stop: AbortSignal): Promise<void> {
    let wait = FIRST_WAIT_MILLIS
    while (isRunning(stop)) {
      const outcome = await this.#listen(stop)
      if (!isRunning(stop)) return
      if (outcome === 'ended') {
        // Some proxies end every stream after a minute: no reason for an alarm.
        wait = FIRST_WAIT_MILLIS
        await pause(wait, stop)
      } else if (outcome === 'silent' && (await this.#poll(stop))) {
        wait = FIRST_WAIT_MILLIS
      } else {
        if (isRunning(stop)) this.#listener.connection(outcome === 'denied' ? 'denied' : 'lost')
        await pause(wait, stop)
        wait = Math.min(2 * wait, LONGEST_WAIT_MILLIS)
      }
    }
  }

  /** One stream, to its end: `ended` if it ever said hello. */
  async #listen(stop: AbortSignal): Promise<Outcome> {
    const attempt = new AbortController()
    const abort = (): void => {
      attempt.abort()
    }
    stop.addEventListener('abort', abort)
    const found = { hello: false, silence: false }
    let timer = setTimeout(() => {
      found.silence = true
      abort()
    }, HELLO_MILLIS)
    try {
      const response = await this.#open(attempt.signal)
      if (typeof response === 'string') return response
      const parser = new EventParser()
      for await (const text of textsOf(response)) {
        clearTimeout(timer)
        timer = setTimeout(abort, SILENCE_MILLIS)
        for (const event of parser.push(text)) {
          // Not even one that is already here is reported after a pause.
          if (!isRunning(stop)) return 'ended'
          found.hello = this.#report(event) || found.hello
        }
      }
    } catch {
      // The network failed, or the server sent an unknown event; either way: try again.
    } finally {
      clearTimeout(timer)
      stop.removeEventListener('abort', abort)
      abort()
    }
    return found.hello ? 'ended' : found.silence ? 'silent' : 'failed'
  }

  /** The body of the stream, or why there is none. */
  async #open(signal: AbortSignal): Promise<ReadableStream<Uint8Array> | Outcome> {
    const address = new URL(this.#url)
    if (this.#lastId !== '') address.searchParams.set('last', this.#lastId)
    const headers = { Accept: 'text/event-stream' }
    const { ok, status, body, headers: answered } = await this.#ask(address, { headers, cache: 'no-store', signal })
    if (status === 401 || status === 403) return 'denied'
    const isStream = (answered.get('content-type') ?? '').startsWith('text/event-stream')
    return ok && body !== null && isStream ? body : 'failed'
  }

  /** Returns whether it was the greeting. */
  #report(raw: ServerEvent): boolean {
    const event = parseEvent(raw)
    const isHello = event?.kind === 'hello'
    if (isHello) this.#listener.connection('live')
    if (event !== undefined) this.#listener.event(event)
    this.#lastId = raw.id
    return isHello
  }

  /** Asks now and then for a minute; returns whether there were answers. */
  async #poll(stop: AbortSignal): Promise<boolean> {
    let known: number | undefined
    for (let n = 0; n < POLLS_PER_TRY; n++) {
      let change: number
      try {
        change = await this.#listener.poll()
      } catch {
        return false
      }
      if (!isRunning(stop)) return true
      this.#listener.connection('polling')
      if (change !== known) this.#listener.event({ kind: 'change', change, runs: [], tags: [], removed: [], all: true })
      known = change
      await pause(POLL_MILLIS, stop)
    }
    return true
  }
}

async function* textsOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const reader = stream.getReader()
  const decoder = new TextDecoder()
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return
    yield decoder.decode(value, { stream: true })
  }
}

/** A function, because the compiler takes it for certain that `aborted` stays what it was. */
function isRunning(stop: AbortSignal): boolean {
  return !stop.aborted
}

/** Waits, unless it is stopped. */
function pause(millis: number, stop: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer)
      stop.removeEventListener('abort', done)
      resolve()
    }
    const timer = setTimeout(done, millis)
    stop.addEventListener('abort', done)
  })
}
