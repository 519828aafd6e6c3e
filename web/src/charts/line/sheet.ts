// A chart on a sheet of its own, with title and legend: for files, slides and papers.
import type { Ink } from './ink'
import { paint, penOf, type Picture } from './paint'

export const TITLE_HEIGHT = 24
const ROW_HEIGHT = 16
const SWATCH = 18
const GAP = 16
const EDGE = 8

/** A line or band in the legend, and where it stands. */
interface Entry {
  readonly label: string
  readonly style: Picture['bands'][number]['style']
  readonly left: number
  readonly row: number
}

/** Bands and lines in colour, as many in a row as fit. */
export function legendOf(picture: Picture, textWidth: (text: string) => number): Entry[] {
  const leads = picture.curves.map((curve) => curve.line).filter((line) => line.style.role === 'lead')
  const entries: Entry[] = []
  let left = EDGE
  let row = 0
  for (const { label, style } of [...picture.bands, ...leads]) {
    const width = SWATCH + textWidth(label) + GAP
    if (left > EDGE && left + width > picture.layout.width) {
      left = EDGE
      row++
    }
    entries.push({ label, style, left, row })
    left += width
  }
  return entries
}

export function sheetHeight(picture: Picture, legend: readonly Entry[]): number {
  const last = legend.at(-1)
  return picture.layout.height + (last === undefined ? 0 : (last.row + 1) * ROW_HEIGHT + 2 * EDGE)
}

/** The layout of the picture leaves `TITLE_HEIGHT` at its top if there is a title. */
export function paintSheet(ink: Ink, picture: Picture, title: string, legend: readonly Entry[]): void {
  const { layout, theme } = picture
  ink.rect(0, 0, layout.width, sheetHeight(picture, legend), theme.surface)
  paint(ink, picture)
  if (title !== '')
    ink.text(title, EDGE, TITLE_HEIGHT / 2, { colour: theme.ink, font: 'sans', align: 'left', isStrong: true })
  for (const { label, style, left, row } of legend) {
    const y = layout.height + EDGE + (row + 0.5) * ROW_HEIGHT
    const path = ink.path()
    path.moveTo(left, y)
    path.lineTo(left + SWATCH - 6, y)
    ink.stroke(path, { ...penOf(style, 2), isFine: true })
    ink.text(label, left + SWATCH, y, { colour: theme.ink, font: 'sans', align: 'left' })
  }
}
