// Where an axis has ticks: at round numbers, powers of ten, round times.
import type { Range } from '../../lib/numbers'
import type { ScaleKind, XKind } from './types'
import { transform } from './scale'

const MINUTE = 60
const HOUR = 3600
const DAY = 86400
const TIME_STEPS = [
  1,
  2,
  5,
  10,
  15,
  30,
  MINUTE,
  2 * MINUTE,
  5 * MINUTE,
  10 * MINUTE,
  15 * MINUTE,
  30 * MINUTE,
  HOUR,
  2 * HOUR,
  3 * HOUR,
  6 * HOUR,
  12 * HOUR,
  DAY,
  2 * DAY,
  5 * DAY,
]
const MONTH_STEPS = [1, 3, 6]

/** A round step (1, 2 or 5 times a power of ten) that makes about `count` of a span. */
export function tickStep(span: number, count: number): number {
  const rough = span / Math.max(1, count)
  const power = 10 ** Math.floor(Math.log10(rough))
  const error = rough / power
  return power * (error >= Math.sqrt(50) ? 10 : error >= Math.sqrt(10) ? 5 : error >= Math.sqrt(2) ? 2 : 1)
}

/** Multiples of `step` in the domain, free of the noise that adding it up would bring. */
export function multiples([min, max]: Range, step: number): number[] {
  if (!(step > 0) || !Number.isFinite(step)) return []
  // Dividing by the inverse keeps 3 * 0.1 from being 0.30000000000000004.
  const inverse = step < 1 ? Math.round(1 / step) : 0
  const first = Math.ceil(min / step - 1e-9)
  // Beyond this, whole numbers have no next one, and no difference is visible.
  if (!(Math.abs(first) < Number.MAX_SAFE_INTEGER)) return []
  const last = Math.min(Math.floor(max / step + 1e-9), first + 1000)
  const ticks: number[] = []
  for (let i = first; i <= last; i++) ticks.push(i === 0 ? 0 : inverse > 0 ? i / inverse : i * step)
  return ticks
}

/** About `count` ticks in the domain, at most twice as many. */
export function ticksOf(kind: ScaleKind, domain: Range, count: number, knee: number): number[] {
  const [min, max] = domain
  if (!(max > min)) return [min]
  if (kind === 'log') return logTicks(domain, count)
  if (kind === 'symlog') return symlogTicks(domain, count, knee)
  return multiples(domain, tickStep(max - min, count))
}

export function xTicksOf(xKind: XKind, kind: ScaleKind, domain: Range, count: number, knee: number): number[] {
  if (kind !== 'linear') return ticksOf(kind, domain, count, knee)
  const span = domain[1] - domain[0]
  if (xKind === 'step') return multiples(domain, Math.max(1, tickStep(span, count)))
  if (xKind === 'date') return dateTicks(domain, count)
  if (xKind === 'duration') return multiples(domain, durationStep(span, count))
  return multiples(domain, tickStep(span, count))
}

/** A step that is round in seconds, minutes, hours or days. */
export function durationStep(span: number, count: number): number {
  const rough = span / Math.max(1, count)
  if (rough < 1) return tickStep(span, count)
  if (rough > 4 * DAY) return DAY * Math.max(1, tickStep(span / DAY, count))
  return TIME_STEPS.find((step) => step >= rough * 0.8) ?? 5 * DAY
}

function dateTicks(domain: Range, count: number): number[] {
  const [min, max] = domain
  const rough = (max - min) / Math.max(1, count)
  const start = new Date(min * 1000)
  if (Number.isNaN(start.getTime()) || Number.isNaN(new Date(max * 1000).getTime())) return []
  if (rough > 20 * DAY) return monthTicks(start, domain, rough / (30 * DAY))
  const step = durationStep(max - min, count)
  if (step < DAY) {
    // Whole hours of the clock on the wall, not of Greenwich.
    const shift = start.getTimezoneOffset() * MINUTE
    return multiples([min - shift, max - shift], step).map((tick) => tick + shift)
  }
  // Days are counted on the calendar: two of a year are not 24 hours long.
  const days = Math.round(step / DAY)
  const ticks: number[] = []
  for (let day = 0; ; day += days) {
    const time = new Date(start.getFullYear(), start.getMonth(), start.getDate() + day).getTime() / 1000
    if (time > max) return ticks
    if (time >= min) ticks.push(time)
  }
}

function monthTicks(start: Date, [min, max]: Range, roughMonths: number): number[] {
  const months = MONTH_STEPS.find((step) => step >= roughMonths * 0.8) ?? 12 * Math.ceil(tickStep(roughMonths, 12))
  const ticks: number[] = []
  const first = months >= 12 ? 0 : Math.floor(start.getMonth() / months) * months
  for (let month = first; ; month += months) {
    const time = new Date(start.getFullYear(), month, 1).getTime() / 1000
    if (time > max) return ticks
    if (time >= min) ticks.push(time)
  }
}

function logTicks([min, max]: Range, count: number): number[] {
  const low = Math.log10(min)
  const high = Math.log10(max)
  const decades = high - low
  if (decades < 0.8) return multiples([min, max], tickStep(max - min, count))
  const every = Math.max(1, Math.ceil(decades / (1.5 * count)))
  const factors = every > 1 || decades > 0.6 * count ? [1] : decades > 0.35 * count ? [1, 3] : [1, 2, 5]
  const ticks: number[] = []
  for (let power = Math.floor(low); power <= high + 1e-9; power++) {
    if (power % every !== 0) continue
    for (const factor of factors) {
      const tick = powerOfTen(power, factor)
      if (tick >= min * (1 - 1e-9) && tick <= max * (1 + 1e-9)) ticks.push(tick)
    }
  }
  return ticks
}

function symlogTicks([min, max]: Range, count: number, knee: number): number[] {
  const spread = transform('symlog', max, knee) - transform('symlog', min, knee)
  if (spread < 1) return multiples([min, max], tickStep(max - min, count))
  const every = Math.max(1, Math.ceil(spread / (1.5 * count)))
  const lowest = Math.round(Math.log10(knee))
  const highest = Math.log10(Math.max(Math.abs(min), Math.abs(max)))
  const ticks: number[] = min <= 0 && max >= 0 ? [0] : []
  for (let power = lowest; power <= highest + 1e-9; power++) {
    if ((power - lowest) % every !== 0) continue
    const tick = powerOfTen(power, 1)
    if (tick >= min && tick <= max) ticks.push(tick)
    if (-tick >= min && -tick <= max) ticks.push(-tick)
  }
  return ticks.sort((a, b) => a - b)
}

/** Read as text, since multiplying by 1e-5 leaves noise. */
function powerOfTen(power: number, factor: number): number {
  return Number(`${String(factor)}e${String(power)}`)
}
