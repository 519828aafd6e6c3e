// The words for the state of the connection, and the dot beside them.
import type { Connection } from '../api/live'
import { ago } from '../lib/format'
import { span } from './clock.svelte'

export interface LiveState {
  readonly word: string
  readonly dot: 'good' | 'warn' | 'hollow'
  /** What the word means. */
  readonly title: string
}

export interface LiveInput {
  readonly connection: Connection
  readonly isPaused: boolean
  readonly isReading: boolean
  /** Milliseconds since the server stopped responding; null if it responds, or never did. */
  readonly silence: number | null
}

// Clocks of machines differ; what is dated later than that was not logged just now.
const AHEAD_SECONDS = 600

/** When the last event was logged, whenever the page received it; null without one. Both in seconds since the epoch. */
export function lastLogged(runs: readonly { readonly end_time: number | null }[], now: number): number | null {
  const isLater = (end: number | null, last: number | null): end is number =>
    end !== null && end <= now + AHEAD_SECONDS && (last === null || end > last)
  return runs.reduce<number | null>((last, { end_time: end }) => (isLater(end, last) ? end : last), null)
}

/** `lostAt`, when the server stopped responding, and `now` in milliseconds, `logged` in seconds since the epoch. */
export function connectionText(
  word: string,
  { lostAt, logged, now }: { readonly lostAt: number | null; readonly logged: number | null; readonly now: number },
): string {
  if (lostAt !== null) return `${word}, no response for ${span(now - lostAt)}`
  return logged === null ? word : `${word}, last event ${ago(logged, now / 1000)}`
}

// A server that is started again needs no alarm.
const STALE_MILLIS = 60_000

export function liveState({ connection, isPaused, isReading, silence }: LiveInput): LiveState {
  if (isPaused) return { word: 'Paused', dot: 'hollow', title: 'Live updates are paused' }
  switch (connection) {
    case 'connecting':
      return { word: 'Connecting', dot: 'hollow', title: 'Waiting for the server' }
    case 'live':
      if (isReading) return { word: 'Reading', dot: 'hollow', title: 'Reading the logs' }
      return { word: 'Live', dot: 'good', title: 'New points appear as they are written' }
    case 'polling':
      return {
        word: 'Polling',
        dot: 'warn',
        title: 'A proxy is buffering live events; polling every few seconds',
      }
    case 'lost':
      if (silence !== null && silence >= STALE_MILLIS) {
        return {
          word: `Stale ${span(silence)}`,
          dot: 'hollow',
          title: `No response for ${span(silence)}`,
        }
      }
      return { word: 'Not connected', dot: 'hollow', title: 'The server is not responding' }
    case 'denied':
      return { word: 'Not signed in', dot: 'hollow', title: 'The server requires a token' }
  }
}
