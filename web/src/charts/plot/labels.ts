// How numbers on an axis, under a cursor and in a tooltip are written: SI prefixes, thousands commas, times.
import { raised } from '../../lib/numerals'
import type { XKind } from './types'

/** For powers of a thousand; 0.001 is written as that and not as 1m. */
const PREFIXES = ['a', 'f', 'p', 'n', 'µ', 'm', '', 'k', 'M', 'G', 'T', 'P', 'E']
const COMMAS = /\B(?=(\d{3})+(?!\d))/g
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']
const MINUTE = 60
const HOUR = 3600
const DAY = 86400

/** `0`, `0.5`, `1.0`; `200µ`; `1.5k`: all with the same prefix, and as many digits as distinguish them. */
export function valueLabels(ticks: readonly number[]): string[] {
  const size = Math.max(...ticks.map(Math.abs), 0)
  const step = smallestStep(ticks)
  const power = prefixPower(size)
  if (isBeyond(size))
    return ticks.map((tick) => (tick === 0 ? '0' : scientific(tick, power, decimals(step, 10 ** power))))
  const digits = decimals(step, 10 ** power)
  // 1.2345671k is harder to read than 1,234.5671.
  if (power > 0 && digits > 2) return ticks.map((tick) => fixed(tick, decimals(step, 1)))
  return ticks.map((tick) => (tick === 0 ? '0' : `${fixed(tick / 10 ** power, digits)}${prefix(power)}`))
}

/** Ticks of a logarithmic axis are decades apart: each is formatted on its own. */
export function logLabels(ticks: readonly number[]): string[] {
  return ticks.map((tick) => si(tick, 3))
}

/** `500`, `1,500`, `10k`, `12.5k`, `1.25M`; with commas in full where a prefix would need many digits. */
export function stepLabels(ticks: readonly number[]): string[] {
  const size = Math.max(...ticks.map(Math.abs), 0)
  if (size < 10_000) return ticks.map(stepText)
  const step = smallestStep(ticks)
  const power = prefixPower(size)
  const digits = decimals(step, 10 ** power)
  if (digits > (power === 3 ? 1 : 2)) return ticks.map(stepText)
  return ticks.map((tick) => (tick === 0 ? '0' : `${trimmed(fixed(tick / 10 ** power, digits))}${prefix(power)}`))
}

/** `0`, `30 s`, `5 m`, `1 h 30 m`, `2 d 6 h`: no finer than the ticks are apart. */
export function durationLabels(ticks: readonly number[]): string[] {
  const step = smallestStep(ticks)
  return ticks.map((tick) => (tick === 0 ? '0' : durationText(tick, step)))
}

/** `14:05`, `14:05:30`, `3 Nov`, `Nov 2026`, `2026`; where the day changes, the day. */
export function dateLabels(ticks: readonly number[]): string[] {
  const step = smallestStep(ticks)
  return ticks.map((tick, i) => {
    const date = new Date(tick * 1000)
    const before = i > 0 ? new Date((ticks[i - 1] as number) * 1000) : null
    if (step > 300 * DAY) return String(date.getFullYear())
    if (step > 25 * DAY)
      return before?.getFullYear() === date.getFullYear() ? month(date) : `${month(date)} ${String(date.getFullYear())}`
    if (step >= DAY || before === null || before.getDate() !== date.getDate()) {
      return step >= DAY || isMidnight(date) ? day(date) : clock(date, step)
    }
    return clock(date, step)
  })
}

export function xLabels(kind: XKind, ticks: readonly number[], isLog: boolean): string[] {
  if (kind === 'date') return dateLabels(ticks)
  if (kind === 'duration') return isLog ? ticks.map((tick) => durationText(tick, tick / 10)) : durationLabels(ticks)
  if (kind === 'step')
    return isLog ? ticks.map((tick) => (Math.abs(tick) < 10_000 ? stepText(tick) : si(tick, 3))) : stepLabels(ticks)
  return isLog ? logLabels(ticks) : valueLabels(ticks)
}

/** An x in full: `31,250`; `2 h 14 m 5 s`; `3 Nov 14:05:30`; `0.2627`. */
export function xText(kind: XKind, x: number): string {
  if (!Number.isFinite(x)) return valueText(x)
  if (kind === 'step') return stepText(x)
  if (kind === 'duration') return durationText(x, Math.abs(x) < 60 ? 0.1 : Math.abs(x) < 2 * DAY ? 1 : MINUTE)
  if (kind === 'date') {
    const date = new Date(x * 1000)
    return Number.isNaN(date.getTime()) ? valueText(x) : `${day(date)} ${clock(date, 1)}`
  }
  return valueText(x)
}

/** A value with four digits, or as many as a difference of `resolution` needs: `0.2627`, `12.35k`, `NaN`, `∞`. */
export function valueText(value: number, resolution = Infinity): string {
  if (Number.isNaN(value)) return 'NaN'
  if (!Number.isFinite(value)) return value > 0 ? '∞' : '−∞'
  if (value === 0) return '0'
  const whole = Math.floor(Math.log10(Math.abs(value)))
  const needed = Number.isFinite(resolution) && resolution > 0 ? whole - Math.floor(Math.log10(resolution)) + 1 : 4
  const digits = Math.max(4, Math.min(needed, 12))
  return Math.abs(value) < 10_000 && Math.abs(value) >= 0.001 ? significant(value, digits) : si(value, digits)
}

/** `−1,250`; a step that is not whole keeps what is behind the point. */
export function stepText(step: number): string {
  return minus(String(+step.toFixed(2)).replace(/^-?\d+/, (whole) => whole.replace(COMMAS, ',')))
}

/** Two units at most, none below `resolution` seconds. */
export function durationText(seconds: number, resolution: number): string {
  const sign = seconds < 0 ? '−' : ''
  let rest = Math.abs(seconds)
  if (rest < 1 && rest > 0) return `${sign}${significant(rest * 1000, 3)} ms`
  if (rest < MINUTE) return `${sign}${trimmed(fixed(rest, decimals(Math.min(resolution, 1), 1)))} s`
  rest = Math.round(rest)
  const days = Math.floor(rest / DAY)
  const hours = Math.floor((rest % DAY) / HOUR)
  const minutes = Math.floor((rest % HOUR) / MINUTE)
  const parts: string[] = []
  if (days > 0) parts.push(`${String(days).replace(COMMAS, ',')} d`)
  if (hours > 0 && resolution < DAY) parts.push(`${String(hours)} h`)
  if (minutes > 0 && resolution < HOUR && days === 0) parts.push(`${String(minutes)} m`)
  if (rest % MINUTE > 0 && resolution < MINUTE && days === 0) parts.push(`${String(rest % MINUTE)} s`)
  return sign + parts.join(' ')
}

function si(value: number, digits: number): string {
  const rounded = Number(value.toPrecision(digits))
  const power = prefixPower(Math.abs(rounded))
  if (isBeyond(Math.abs(rounded))) return `${significant(rounded / 10 ** power, digits)}×10${raised(power)}`
  return `${significant(rounded / 10 ** power, digits)}${prefix(power)}`
}

function significant(value: number, digits: number): string {
  const whole = Math.floor(Math.log10(Math.abs(value)))
  return trimmed(fixed(value, Math.max(0, Math.min(20, digits - 1 - whole))))
}

/** The power of ten that a number of this size is counted in: that of its prefix, or its own beyond them. */
function prefixPower(size: number): number {
  if (size === 0 || (size >= 0.001 * (1 - 1e-9) && size < 1000)) return 0
  if (isBeyond(size)) return Math.floor(Math.log10(size) + 1e-9)
  return 3 * Math.floor(Math.log10(size) / 3 + 1e-9)
}

/** Whether a number is larger or smaller than prefixes reach; it is then written with a power of ten. */
function isBeyond(size: number): boolean {
  return size > 0 && (size >= 1e21 || size < 1e-18 * (1 - 1e-9))
}

/** `2.5×10³⁰` */
function scientific(value: number, power: number, digits: number): string {
  return `${fixed(value / 10 ** power, digits)}×10${raised(power)}`
}

function prefix(power: number): string {
  return PREFIXES[6 + power / 3] ?? ''
}

/** Decimals that a multiple of `step` has when counted in `unit`s. */
function decimals(step: number, unit: number): number {
  let scaled = step / unit
  for (let digits = 0; digits < 15; digits++) {
    if (Math.abs(scaled - Math.round(scaled)) < 1e-6 * Math.max(1, scaled) && Math.round(scaled) > 0) return digits
    scaled *= 10
  }
  return 15
}

function smallestStep(ticks: readonly number[]): number {
  let least = Infinity
  for (let i = 1; i < ticks.length; i++) least = Math.min(least, (ticks[i] as number) - (ticks[i - 1] as number))
  if (Number.isFinite(least)) return least
  const only = Math.abs(ticks[0] ?? 0)
  return only > 0 ? 10 ** (Math.floor(Math.log10(only)) - 3) : 1
}

function fixed(value: number, digits: number): string {
  return minus(value.toFixed(digits).replace(/^-?\d+/, (whole) => whole.replace(COMMAS, ',')))
}

function trimmed(text: string): string {
  return text.includes('.') ? text.replace(/\.?0+$/, '') : text
}

/** A hyphen is too short for a minus; nothing is less than zero by nothing. */
function minus(text: string): string {
  return /^-[0.,]*$/.test(text) ? text.slice(1) : text.replace('-', '−')
}

function isMidnight(date: Date): boolean {
  return date.getHours() === 0 && date.getMinutes() === 0 && date.getSeconds() === 0
}

function two(value: number): string {
  return String(value).padStart(2, '0')
}

function clock(date: Date, step: number): string {
  const hours = `${two(date.getHours())}:${two(date.getMinutes())}`
  if (step >= MINUTE) return hours
  const fraction = step < 1 ? `.${String(date.getMilliseconds()).padStart(3, '0')}` : ''
  return `${hours}:${two(date.getSeconds())}${fraction}`
}

function month(date: Date): string {
  return MONTHS[date.getMonth()] ?? ''
}

function day(date: Date): string {
  return `${String(date.getDate())} ${month(date)}`
}
