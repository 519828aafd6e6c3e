// The path of a small curve: up and down the extent of each column.
import type { Numbers } from '../lib/numbers'

/** For the `d` of a path; empty if nothing is finite. */
export function extentPath(low: Numbers, high: Numbers, width: number, height: number): string {
  let [bottom, top] = [Infinity, -Infinity]
  for (const value of low) if (value < bottom) bottom = value
  for (const value of high) if (value > top) top = value
  if (!(bottom <= top)) return ''
  const y = (value: number): string =>
    (top === bottom ? height / 2 : (height * (top - value)) / (top - bottom)).toFixed(1)
  const points: string[] = []
  for (let at = 0; at < low.length; at++) {
    const [from, to] = [low[at] ?? NaN, high[at] ?? NaN]
    if (Number.isNaN(from)) continue
    const x = (((at + 0.5) * width) / low.length).toFixed(1)
    points.push(`${x} ${y(from)}`)
    if (to !== from) points.push(`${x} ${y(to)}`)
  }
  return `M${points.join('L')}`
}
