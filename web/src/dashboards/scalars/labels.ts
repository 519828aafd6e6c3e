// Words and numbers of a card: its title, x as the axis has it, the zoom, and a sentence for those who do not see it.
import type { ChartView, Line, XKind } from '../../charts/line/types'
import { counted } from '../../lib/format'
import { duration, moment, step, value } from '../../lib/numerals'
import type { XAxis } from '../../state/facts/core'
import type { Best, Better } from './best'
import type { Spec } from './sources'

/** Pixels below a card's plot. */
export const AXIS_HEIGHT = 24

/** All that a card shows, in one line. */
export function specTitle(spec: Spec): string {
  return [...spec.tags, ...spec.expressions].join(', ')
}

export function xKind(axis: XAxis): XKind {
  if (axis === 'step') return 'step'
  if (axis === 'relative_time') return 'duration'
  return axis === 'wall_time' ? 'date' : 'value'
}

/** What the axis is called: `step`, `relative`, `time` or the tag. */
export function axisName(axis: XAxis): string {
  if (axis === 'step') return 'step'
  if (axis === 'relative_time') return 'relative'
  return axis === 'wall_time' ? 'time' : axis.tag
}

export function xText(x: number, kind: XKind): string {
  if (kind === 'step') return step(x)
  if (kind === 'duration') return duration(x)
  return kind === 'date' ? moment(x) : value(x)
}

/** `exact`, `12:1`. */
export function ratioText(ratio: number): string {
  return ratio <= 1 ? 'exact' : `${step(Math.max(2, Math.round(ratio)))}:1`
}

/** `Zoomed to 14,000 to 44,000`; empty when everything is shown. */
export function zoomText(view: ChartView, kind: XKind): string {
  if (view.x !== null) return `Zoomed to ${xText(view.x[0], kind)} to ${xText(view.x[1], kind)}`
  return view.y === null ? '' : `Zoomed to ${value(view.y[0])} to ${value(view.y[1])}`
}

const MANY = 4

/** What a picture of these lines says. */
export function summary(
  title: string,
  lines: readonly Line[],
  kind: XKind,
  best: Best | null,
  better: Better | null,
): string {
  if (lines.length === 0) return `${title}: no data in the shown runs.`
  const names = lines
    .slice(0, MANY)
    .map((line) => line.label)
    .join(', ')
  const others = lines.length > MANY ? ` and ${String(lines.length - MANY)} more` : ''
  const { x, y } = extents(lines)
  const sentences = [`${title}: ${counted(lines.length, 'line')} (${names}${others})`]
  if (x !== null) sentences.push(`from ${xText(x[0], kind)} to ${xText(x[1], kind)}`)
  if (y !== null) sentences.push(`values ${value(y[0])} to ${value(y[1])}`)
  const bestLine = best && lines.find((line) => line.key === best.key)
  if (best && bestLine)
    sentences.push(
      `${better === 'lower' ? 'lowest' : 'highest'} ${value(best.value)} by ${bestLine.label} at ${xText(best.x, kind)}`,
    )
  return `${sentences.join('; ')}.`
}

/** The finite extent of all lines. */
function extents(lines: readonly Line[]): { x: readonly [number, number] | null; y: readonly [number, number] | null } {
  let [left, right, low, high] = [Infinity, -Infinity, Infinity, -Infinity]
  for (const { data } of lines) {
    const [start, end] = data.kind === 'points' ? [data.x, data.x] : [data.xFirst, data.xLast]
    const [least, greatest] = data.kind === 'points' ? [data.y, data.y] : [data.raw.min, data.raw.max]
    for (let at = 0; at < start.length; at++) {
      left = Math.min(left, start[at] ?? Infinity)
      right = Math.max(right, end[at] ?? -Infinity)
      const from = least[at] ?? NaN
      const to = greatest[at] ?? NaN
      if (Number.isFinite(from)) low = Math.min(low, from)
      if (Number.isFinite(to)) high = Math.max(high, to)
    }
  }
  return { x: left <= right ? [left, right] : null, y: low <= high ? [low, high] : null }
}
