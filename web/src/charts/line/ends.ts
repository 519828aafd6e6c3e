// Names of lines and bands at their right ends, moved apart so that they can be read.
import { valueText } from '../plot/labels'
import { LABEL_WIDTH, type Layout } from '../plot/layout'
import type { Ink } from '../plot/ink'
import type { Picture } from './picture'

const ROW_HEIGHT = 32
const BAR_WIDTH = 2
const GAP = 9

interface End {
  readonly label: string
  readonly value: string
  readonly colour: string
  readonly y: number
}

export function paintEnds(ink: Ink, picture: Picture): void {
  const { layout, theme } = picture
  const { plot } = layout
  const room = Math.max(1, Math.floor((plot.bottom - plot.top) / ROW_HEIGHT))
  const ends = endsOf(picture)
    .slice(0, room)
    .sort((a, b) => a.y - b.y)
  const names = tails(
    ends.map((end) => end.label),
    [...picture.bands.map(({ label }) => label), ...picture.curves.map(({ line }) => line.label)],
  )
  const places = spread(
    ends.map((end) => end.y),
    ROW_HEIGHT,
    plot.top + ROW_HEIGHT / 2,
    plot.bottom - ROW_HEIGHT / 2,
  )
  ends.forEach((end, i) => {
    const y = places[i] ?? end.y
    const left = plot.right + GAP
    ink.rect(left, y - 13, BAR_WIDTH, 26, end.colour)
    const text = left + BAR_WIDTH + 6
    const width = LABEL_WIDTH - GAP - BAR_WIDTH - 8
    ink.text(
      shortened(names[i] ?? end.label, width, (part) => ink.textWidth(part, 'sans') * 1.06),
      text,
      y - 6.5,
      { colour: theme.ink, font: 'sans', align: 'left', isStrong: true },
    )
    ink.text(end.value, text, y + 7, { colour: theme.ink3, font: 'mono', align: 'left' })
  })
}

function endsOf({ layout, bands, curves, theme }: Picture): End[] {
  const ends: End[] = []
  for (const { label, centre, low, high, x, style } of bands) {
    const i = lastShown(x, centre, layout)
    if (i < 0) continue
    const half = ((high[i] as number) - (low[i] as number)) / 2
    const value = centre[i] as number
    ends.push({
      label,
      value: `${valueText(value)} ±${valueText(Number(half.toPrecision(2)))}`,
      colour: style.colour,
      y: layout.y.at(value),
    })
  }
  for (const { line, x, main, isSorted } of curves) {
    if (line.style.role !== 'lead' || !isSorted) continue
    const i = lastShown(x, main, layout)
    if (i >= 0)
      ends.push({
        label: line.label,
        value: valueText(main[i] as number),
        colour: line.style.colour || theme.ink,
        y: layout.y.at(main[i] as number),
      })
  }
  return ends
}

/** The last finite entry in sight; -1 if there is none. */
function lastShown(x: ArrayLike<number>, y: ArrayLike<number>, layout: Layout): number {
  let i = x.length - 1
  while (i >= 0 && !((x[i] as number) <= layout.x.domain[1] && Number.isFinite(y[i]))) i--
  return i >= 0 && (x[i] as number) >= layout.x.domain[0] ? i : -1
}

/** Ascending places moved as little as it takes to be `apart` from each other, between `low` and `high`. */
export function spread(places: readonly number[], apart: number, low: number, high: number): number[] {
  const moved = places.map((place) => Math.max(low, Math.min(high, place)))
  for (let i = 1; i < moved.length; i++) moved[i] = Math.max(moved[i] as number, (moved[i - 1] as number) + apart)
  let limit = high
  for (let i = moved.length - 1; i >= 0; i--) {
    moved[i] = Math.min(moved[i] as number, limit)
    limit = (moved[i] as number) - apart
  }
  return moved
}

/** The shortest ends of paths that no other one of `all` has: folders take the room that names need. */
export function tails(names: readonly string[], all: readonly string[]): string[] {
  const counts = new Map<string, number>()
  for (const name of new Set(all)) for (const end of endings(name)) counts.set(end, (counts.get(end) ?? 0) + 1)
  return names.map((name) => endings(name).find((end) => counts.get(end) === 1) ?? name)
}

/** From the last part of a path to the whole. */
function endings(path: string): string[] {
  const parts = path.split('/')
  return parts.map((_, i) => parts.slice(parts.length - 1 - i).join('/'))
}

/** The beginning and the end of a name that is too long: its parts differ there. */
export function shortened(text: string, width: number, textWidth: (text: string) => number): string {
  if (textWidth(text) <= width) return text
  for (let keep = text.length - 2; keep > 1; keep--) {
    const head = Math.ceil(keep / 2)
    const cut = `${text.slice(0, head)}…${text.slice(text.length - (keep - head))}`
    if (textWidth(cut) <= width) return cut
  }
  return '…'
}
