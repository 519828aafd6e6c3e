// What is said of the connection, and the dot beside it.
import type { Connection } from '../api/live'

export interface LiveState {
  readonly word: string
  readonly dot: 'good' | 'warn' | 'hollow'
}

const STATES: Record<Connection, LiveState> = {
  connecting: { word: 'Connecting', dot: 'hollow' },
  live: { word: 'Live', dot: 'good' },
  polling: { word: 'Polling', dot: 'warn' },
  lost: { word: 'Not connected', dot: 'hollow' },
  denied: { word: 'Not signed in', dot: 'hollow' },
}

export function liveState(connection: Connection, isReading: boolean): LiveState {
  return connection === 'live' && isReading ? { word: 'Reading', dot: 'hollow' } : STATES[connection]
}
