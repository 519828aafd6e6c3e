// What is said of the connection, and the dot beside it.
import type { Connection } from '../api/live'
import { span } from './clock.svelte'

export interface LiveState {
  readonly word: string
  readonly dot: 'good' | 'warn' | 'hollow'
  /** What the word means. */
  readonly title: string
}

export interface Heard {
  readonly connection: Connection
  readonly isPaused: boolean
  readonly isReading: boolean
  /** Milliseconds since the server was last heard of; null if never. */
  readonly silence: number | null
}

// A server that is started again needs no alarm.
const STALE_MILLIS = 60_000

export function liveState({ connection, isPaused, isReading, silence }: Heard): LiveState {
  if (isPaused) return { word: 'Paused', dot: 'hollow', title: 'New points are not shown until you go on' }
  switch (connection) {
    case 'connecting':
      return { word: 'Connecting', dot: 'hollow', title: 'Waiting for the first answer of the server' }
    case 'live':
      if (isReading) return { word: 'Reading', dot: 'hollow', title: 'The logs are being read' }
      return { word: 'Live', dot: 'good', title: 'New points are shown as they are written' }
    case 'polling':
      return {
        word: 'Polling',
        dot: 'warn',
        title: 'Something between here and the server holds its events back: asking every few seconds',
      }
    case 'lost':
      if (silence !== null && silence >= STALE_MILLIS) {
        return {
          word: `Stale ${span(silence)}`,
          dot: 'hollow',
          title: `The server has not answered for ${span(silence)}`,
        }
      }
      return { word: 'Not connected', dot: 'hollow', title: 'The server does not answer' }
    case 'denied':
      return { word: 'Not signed in', dot: 'hollow', title: 'The server wants a token' }
  }
}
