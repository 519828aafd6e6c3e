// What changes, as it changes: one stream of events, resumed where it broke off, or polling where a proxy holds it back.
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
  /** Those of them whose tags are others than before. */
  readonly tags: readonly string[]
  readonly removed: readonly string[]
  /** Too many to name. */
  readonly all: boolean
}

/** `denied`: the server wants a login; `polling`: it answers, but no stream comes through. */
export type Connection = 'connecting' | 'live' | 'polling' | 'lost' | 'denied'

export interface Listener {
  event(event: LiveEvent): void
  connection(connection: Connection): void
  /** Asks for the number of the last change, where no stream comes through. */
  poll(): Promise<number>
}

/** The stream and what is heard of it. */
export interface Following {
  /** Closes the stream until `resume`; what comes meanwhile is told then. */
  pause(): void
  resume(): void
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

/** Follows the stream at `url` from `resume` on. */
export function follow(url: URL, ask: Ask, listener: Listener): Following {
  let lastId = ''
  let running: AbortController | undefined
  return {
    pause() {
      running?.abort()
      running = undefined
    },
    resume() {
      if (running !== undefined) return
      running = new AbortController()
      void keepListening(running.signal)
    },
  }

  async function keepListening(stop: AbortSignal): Promise<void> {
    let wait = FIRST_WAIT_MILLIS
    while (goesOn(stop)) {
      const outcome = await listen(stop)
      if (!goesOn(stop)) return
      if (outcome === 'ended') {
        // Some proxies end every stream after a minute: no reason to alarm anybody.
        wait = FIRST_WAIT_MILLIS
        await pause(wait, stop)
      } else if (outcome === 'silent' && (await poll(stop))) {
        wait = FIRST_WAIT_MILLIS
      } else {
        if (goesOn(stop)) listener.connection(outcome === 'denied' ? 'denied' : 'lost')
        await pause(wait, stop)
        wait = Math.min(2 * wait, LONGEST_WAIT_MILLIS)
      }
    }
  }

  /** One stream, to its end: `ended` if it ever said hello. */
  async function listen(stop: AbortSignal): Promise<'ended' | 'silent' | 'denied' | 'failed'> {
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
      const address = new URL(url)
      if (lastId !== '') address.searchParams.set('last', lastId)
      const headers = { Accept: 'text/event-stream' }
      const response = await ask(address, { headers, cache: 'no-store', signal: attempt.signal })
      if (response.status === 401 || response.status === 403) return 'denied'
      const type = response.headers.get('content-type') ?? ''
      if (!response.ok || response.body === null || !type.startsWith('text/event-stream')) return 'failed'
      const reader = response.body.getReader()
      const decoder = new TextDecoder()
      const parser = new EventParser()
      for (;;) {
        const { done, value } = await reader.read()
        if (done) break
        clearTimeout(timer)
        timer = setTimeout(abort, SILENCE_MILLIS)
        for (const event of parser.push(decoder.decode(value, { stream: true }))) {
          // Also one that is already here must not be told after a pause.
          if (!goesOn(stop)) return 'ended'
          found.hello = tell(event) || found.hello
        }
      }
    } catch {
      // The network failed, or the server sent what is no event of ours; either way: again.
    } finally {
      clearTimeout(timer)
      stop.removeEventListener('abort', abort)
      abort()
    }
    return found.hello ? 'ended' : found.silence ? 'silent' : 'failed'
  }

  /** Returns whether it was the greeting. */
  function tell(raw: ServerEvent): boolean {
    const event = parseEvent(raw)
    const isHello = event?.kind === 'hello'
    if (isHello) listener.connection('live')
    if (event !== undefined) listener.event(event)
    lastId = raw.id
    return isHello
  }

  /** Asks now and then for a minute; returns whether there were answers. */
  async function poll(stop: AbortSignal): Promise<boolean> {
    let known: number | undefined
    for (let n = 0; n < POLLS_PER_TRY; n++) {
      let change: number
      try {
        change = await listener.poll()
      } catch {
        return false
      }
      if (!goesOn(stop)) return true
      listener.connection('polling')
      if (change !== known) listener.event({ kind: 'change', change, runs: [], tags: [], removed: [], all: true })
      known = change
      await pause(POLL_MILLIS, stop)
    }
    return true
  }
}

/** A function, because the compiler takes it for certain that `aborted` stays what it was. */
function goesOn(stop: AbortSignal): boolean {
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
