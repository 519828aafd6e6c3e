// What is said of the connection, and the dot beside it.
import type { Connection } from '../api/live'
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
  /** Milliseconds since the server stopped to answer; null if it answers, or never did. */
  readonly silence: number | null
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
