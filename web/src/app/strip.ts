// The strip: how far each shown run reaches on the x axis of the whole board, as rows of a small picture.
import { symlogKnee, xDomain } from '../charts/plot/domain'
import { xLabels } from '../charts/plot/labels'
import { Scale } from '../charts/plot/scale'
import { xTicksOf } from '../charts/plot/ticks'
import type { ScaleKind, XKind } from '../charts/line/types'
import type { Range } from '../lib/numbers'
import type { Run } from '../api/types'
import type { Summary } from '../state/summaries.svelte'
import type { XAxis } from '../state/facts/core'

export interface Row {
  readonly run: string
  readonly from: number
  readonly to: number
  readonly colour: string
  readonly isLead: boolean
  readonly isPinned: boolean
  readonly isWriting: boolean
  /** Where it became NaN. */
  readonly nanAt: number | null
}

/** With more runs, the strip shows how many there are at each x. */
export const MOST_ROWS = 40

const TOP = 4
const BOTTOM = 31

export function kindOf(x: XAxis): XKind {
  return x === 'step' ? 'step' : x === 'relative_time' ? 'duration' : x === 'wall_time' ? 'date' : 'value'
}

/** From where to where a run reaches, and where it broke; null while that is not known. */
export function reach(x: XAxis, run: Run, summaries: readonly Summary[]): Pick<Row, 'from' | 'to' | 'nanAt'> | null {
  const { start_time: start, end_time: end } = run
  const nans = summaries.flatMap(({ firstNan }) => (firstNan === null ? [] : [firstNan]))
  const nanStep = nans.length === 0 ? null : Math.min(...nans)
  const first = Math.min(...summaries.map(({ firstStep }) => firstStep))
  const last = Math.max(...summaries.map(({ lastStep }) => lastStep))
  if (x === 'step') return summaries.length === 0 ? null : { from: first, to: last, nanAt: nanStep }
  if (typeof x === 'object') {
    const from = Math.min(...summaries.map(({ min }) => min))
    const to = Math.max(...summaries.map(({ max }) => max))
    return from <= to && Number.isFinite(from) && Number.isFinite(to) ? { from, to, nanAt: null } : null
  }
  if (start === null || end === null) return null
  const from = x === 'wall_time' ? start : 0
  // Steps are taken to be of the same length.
  const share = nanStep === null || last <= first ? null : (nanStep - first) / (last - first)
  return { from, to: from + end - start, nanAt: share === null ? null : from + share * (end - start) }
}

/** The x axis of everything that is shown, `width` pixels long. */
export function axisOf(rows: readonly Row[], kind: ScaleKind, width: number): Scale {
  const range: Range | null =
    rows.length === 0 ? null : [Math.min(...rows.map((row) => row.from)), Math.max(...rows.map((row) => row.to))]
  const positive =
    kind === 'log' && range !== null && range[1] > 0
      ? ([Math.max(range[0], Math.min(1, range[1] / 1000)), range[1]] as const)
      : range
  return new Scale(kind, xDomain(positive, kind), 0, width, symlogKnee(positive))
}

/** Ticks with their words, far enough apart to be read. */
export function ticks(axis: Scale, kind: XKind): { at: number; text: string }[] {
  const width = axis.to - axis.from
  const places = xTicksOf(kind, axis.kind, axis.domain, Math.max(2, width / 90), axis.knee)
  const labels = xLabels(kind, places, axis.kind !== 'linear')
  return places
    .map((x, n) => ({ at: axis.at(x), text: labels[n] ?? '' }))
    .filter(({ at }) => at >= -1 && at <= width + 1)
}

export interface Paper {
  readonly bulk: string
  readonly bad: string
  readonly page: string
}

export function paint(context: CanvasRenderingContext2D, rows: readonly Row[], axis: Scale, paper: Paper): void {
  const isDense = rows.length > MOST_ROWS
  if (isDense) paintDensity(context, rows, axis, paper)
  const shown = isDense ? rows.filter((row) => row.isPinned) : rows
  const pitch = Math.min(4, (BOTTOM - TOP) / Math.max(1, shown.length))
  const places = shown.map((row, n) => ({ row, y: TOP + pitch * (n + 0.5) }))
  // Colours over grey.
  for (const { row, y } of [...places].sort((a, b) => Number(a.row.isLead) - Number(b.row.isLead)))
    paintRow(context, row, y, axis, paper)
}

function paintRow(context: CanvasRenderingContext2D, row: Row, y: number, axis: Scale, paper: Paper): void {
  const [from, to] = [axis.at(row.from), axis.at(row.to)]
  const thick = row.isLead ? 2 : 1
  context.fillStyle = row.isLead ? row.colour : paper.bulk
  context.fillRect(from, y - thick / 2, Math.max(1, to - from), thick)
  if (row.isWriting) {
    context.beginPath()
    context.arc(to, y, row.isLead ? 2.5 : 2, 0, 2 * Math.PI)
    context.fill()
  }
  if (row.nanAt !== null) {
    context.fillStyle = paper.bad
    context.fillRect(axis.at(row.nanAt) - 0.75, y - 3, 1.5, 6)
  }
}

/** How many runs there are at each pixel, as a hill. */
function paintDensity(context: CanvasRenderingContext2D, rows: readonly Row[], axis: Scale, paper: Paper): void {
  const counts = density(rows, axis)
  const most = counts.reduce((a, b) => Math.max(a, b), 1)
  context.fillStyle = paper.bulk
  counts.forEach((count, at) => {
    const height = ((BOTTOM - TOP) * count) / most
    context.fillRect(at, BOTTOM - height, 1, height)
  })
}

export function density(rows: readonly Row[], axis: Scale): Float64Array {
  const width = Math.max(1, Math.ceil(axis.to))
  const changes = new Float64Array(width + 1)
  for (const row of rows) {
    const from = Math.max(0, Math.min(width - 1, Math.floor(axis.at(row.from))))
    const to = Math.max(from, Math.min(width - 1, Math.floor(axis.at(row.to))))
    changes[from] = (changes[from] ?? 0) + 1
    changes[to + 1] = (changes[to + 1] ?? 0) - 1
  }
  let count = 0
  return changes.map((change) => (count += change)).slice(0, width)
}

/** A window, rounded to whole steps or to a thousandth of its width. */
export function rounded([from, to]: Range, kind: XKind): Range {
  if (kind === 'step' && to - from >= 2) return [Math.floor(from), Math.ceil(to)]
  const digits = Math.max(0, 3 - Math.floor(Math.log10(to - from)))
  return digits <= 20 ? [Number(from.toFixed(digits)), Number(to.toFixed(digits))] : [from, to]
}

/** Of a letter of the read-out, which are all equally wide, and of its padding: measuring it would force a layout at every move. */
const LETTER_WIDTH = 6.6
const PADDING = 8

/** Writes the figure of the cursor below it, inside the track. */
export function placeReadout(readout: HTMLElement, text: string, left: number, width: number): void {
  readout.textContent = text
  const half = (text.length * LETTER_WIDTH + PADDING) / 2
  readout.style.transform = `translateX(${String(Math.max(0, Math.min(width - 2 * half, left - half)))}px)`
}
