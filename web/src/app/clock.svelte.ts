// The current time, for texts such as "2 s ago".

export class Clock {
  /** Milliseconds since the epoch. */
  now = $state(Date.now())

  /** Until the returned function is called. */
  start(): () => void {
    const timer = setInterval(() => {
      this.now = Date.now()
    }, 1_000)
    return () => {
      clearInterval(timer)
    }
  }
}

/** `2 s`, `5 m`, `3 h`, `2 d` */
export function span(millis: number): string {
  const seconds = Math.max(0, Math.floor(millis / 1000))
  if (seconds < 60) return `${String(seconds)} s`
  if (seconds < 3600) return `${String(Math.floor(seconds / 60))} m`
  if (seconds < 48 * 3600) return `${String(Math.floor(seconds / 3600))} h`
  return `${String(Math.floor(seconds / 86400))} d`
}
