// Values, steps, durations and moments as people read them: SI prefixes from a to E, powers of ten beyond them, thousands commas.

const GROUPED = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 })
const PREFIXES = ['a', 'f', 'p', 'n', 'µ', 'm', '', 'k', 'M', 'G', 'T', 'P', 'E']
const UNIT = PREFIXES.indexOf('')
const MINUS = '\u2212'
const RAISED = '⁰¹²³⁴⁵⁶⁷⁸⁹'

/** `0.2627`, `1.25`, `12.35k`, `102.4µ`, `NaN`, `∞`: `digits` significant ones, zeros at the end left out. */
export function value(number: number, digits = 4): string {
  if (Number.isNaN(number)) return 'NaN'
  const sign = number < 0 ? MINUS : ''
  const size = Math.abs(number)
  if (size === Infinity) return `${sign}∞`
  if (size === 0) return '0'
  // 0.9999996 is written as 1, so the size is that of the rounded number.
  const rounded = Number(size.toPrecision(digits))
  if (rounded >= 0.001 && rounded < 10_000) return sign + plain(rounded, digits)
  const at = Math.floor(Math.log10(rounded) / 3 + 1e-9) + UNIT
  const prefix = PREFIXES[at]
  if (prefix === undefined) return sign + powerOfTen(rounded, digits)
  return sign + plain(rounded / 10 ** (3 * (at - UNIT)), digits) + prefix
}

/** A column of values with the same number of decimals, so that they can be compared; those of another size are written for themselves. */
export function values(numbers: readonly number[], digits = 4): string[] {
  const plainOnes = numbers.map(Math.abs).filter((size) => size >= 0.001 && size < 10_000)
  if (plainOnes.length < 2) return numbers.map((number) => value(number, digits))
  const places = (size: number): number => digits - 1 - Math.floor(Math.log10(size))
  // One digit more than the largest needs, if smaller ones would lose by it.
  const decimals = Math.max(0, Math.min(places(Math.min(...plainOnes)), places(Math.max(...plainOnes)) + 1))
  const isPlain = (number: number): boolean => {
    const size = Math.abs(number)
    return size === 0 || (size < 10_000 && size >= 0.5 * 10 ** (1 - decimals))
  }
  const fixed = numbers.map((number) => (isPlain(number) ? number.toFixed(decimals) : ''))
  const needed = Math.max(0, ...fixed.map((text) => text.replace(/^[^.]*\.?|0+$/g, '').length))
  return numbers.map((number) => {
    if (!isPlain(number)) return value(number, digits)
    const [whole = '', rest = ''] = Math.abs(number).toFixed(decimals).split('.')
    const text = GROUPED.format(Number(whole)) + (needed === 0 ? '' : `.${rest.slice(0, needed)}`)
    return number < 0 && /[1-9]/.test(text) ? MINUS + text : text
  })
}

/** As `value`, always with a sign: `+0.0114`. */
export function change(number: number, digits = 4): string {
  return number > 0 ? `+${value(number, digits)}` : value(number, digits)
}

/** `+12.5 %`; nothing to divide by has none. */
export function percent(part: number): string {
  return Number.isFinite(part) ? `${change(part * 100, 3)} %` : '–'
}

/** `31,250`; steps that an axis interpolates are rounded. */
export function step(number: number): string {
  return Number.isFinite(number) ? GROUPED.format(number).replace('-', MINUS) : value(number)
}

/** `850 ms`, `14.2 s`, `3 m 20 s`, `2 h 14 m`, `3 d 4 h`. */
export function duration(seconds: number): string {
  if (!Number.isFinite(seconds)) return '–'
  const sign = seconds < 0 ? MINUS : ''
  const size = Math.abs(seconds)
  if (size < 0.9995) return size === 0 ? '0 s' : `${sign}${String(Math.round(size * 1000))} ms`
  if (size < 59.95) return `${sign}${plain(Number(size.toFixed(1)), 3)} s`
  const whole = Math.round(size)
  if (whole < 3600) return sign + two(whole, 60, 'm', 1, 's')
  if (whole < 86_400) return sign + two(whole, 3600, 'h', 60, 'm')
  return sign + two(whole, 86_400, 'd', 3600, 'h')
}

/** `16 Nov 14:03:07`, of seconds since the epoch, in the time of this place; with the year when `now` is in another. */
export function moment(seconds: number, now = Date.now()): string {
  const date = new Date(seconds * 1000)
  if (Number.isNaN(date.getTime())) return '–'
  const month = date.toLocaleString('en-GB', { month: 'short' })
  const year = date.getFullYear() === new Date(now).getFullYear() ? '' : ` ${String(date.getFullYear())}`
  return `${String(date.getDate())} ${month}${year} ${date.toLocaleTimeString('en-GB')}`
}

function plain(number: number, digits: number): string {
  const text = number.toPrecision(digits)
  const trimmed = text.includes('.') ? text.replace(/\.?0+$/, '') : text
  return number >= 1000 ? GROUPED.format(Number(trimmed)) : trimmed
}

function two(size: number, large: number, first: string, small: number, second: string): string {
  const rest = Math.floor((size % large) / small)
  return `${String(Math.floor(size / large))} ${first}${rest === 0 ? '' : ` ${String(rest)} ${second}`}`
}

/** `1.2×10⁻⁴⁰`, for what no prefix reaches. */
function powerOfTen(number: number, digits: number): string {
  const power = Math.floor(Math.log10(number) + 1e-12)
  return `${plain(Number((number / 10 ** power).toPrecision(digits)), digits)}×10${raised(power)}`
}

/** `⁻⁴⁰` */
export function raised(power: number): string {
  return String(power)
    .replace('-', '⁻')
    .replace(/\d/g, (digit) => RAISED[Number(digit)] ?? '')
}
