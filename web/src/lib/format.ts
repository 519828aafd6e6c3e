// Numbers, sizes, times and paths as people read them.

const COUNT = new Intl.NumberFormat('en-US')
const UNITS = ['B', 'kB', 'MB', 'GB', 'TB', 'PB']

/** `1,234` */
export function count(value: number): string {
  return COUNT.format(value)
}

/** `1 run`, `1,234 runs`, `2 directories` */
export function counted(value: number, noun: string, plural = `${noun}s`): string {
  return `${count(value)} ${value === 1 ? noun : plural}`
}

/** A message as a sentence: a capital first, a full stop last. */
export function sentence(message: string): string {
  const text = message.charAt(0).toUpperCase() + message.slice(1)
  return /[.!?…]$/.test(text) ? text : `${text}.`
}

/** `512 B`, `4.1 kB`, `412 MB`, `1.31 GB`: three digits, powers of a thousand. */
export function bytes(value: number): string {
  let unit = 0
  // 999.5 would be written as 1000.
  while (value >= 999.5 && unit < UNITS.length - 1) {
    value /= 1000
    unit++
  }
  const digits = unit === 0 || value >= 99.95 ? 0 : value >= 9.995 ? 1 : 2
  return `${value.toFixed(digits)} ${UNITS[unit] ?? ''}`
}

/** How long ago, both in seconds since the epoch: `now`, `5 min ago`, `3 h ago`, `12 d ago`. */
export function ago(time: number, now: number): string {
  const seconds = now - time
  if (seconds < 10) return 'now'
  if (seconds < 60) return `${String(Math.floor(seconds))} s ago`
  if (seconds < 3600) return `${String(Math.floor(seconds / 60))} min ago`
  if (seconds < 48 * 3600) return `${String(Math.floor(seconds / 3600))} h ago`
  return `${count(Math.floor(seconds / 86400))} d ago`
}

/** A moment, from seconds since the epoch; null if no calendar has it, as in damaged files. */
export function moment(seconds: number): Date | null {
  const date = new Date(seconds * 1000)
  return Number.isNaN(date.getTime()) ? null : date
}

/** A path as a shell takes it. */
export function shellWord(path: string): string {
  return /^[\w@%+=:,./-]+$/.test(path) ? path : `'${path.replaceAll("'", `'"'"'`)}'`
}

/** The last part of a path. */
export function baseName(path: string): string {
  return (
    path
      .replace(/[/\\]+$/, '')
      .split(/[/\\]/)
      .pop() ?? path
  )
}
