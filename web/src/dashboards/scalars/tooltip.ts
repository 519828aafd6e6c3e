// The tooltip of a chart: written and placed without the framework, since it follows the pointer's every move.
import { cornerBox, emptiest, holds, outside, type Corner, type InkMap } from './corner'
import type { TooltipText } from './tooltip_rows'

/** What stands at its head. */
export interface Head {
  readonly name: string
  readonly at: string
  readonly aside: string
  /** What the note, restart or gap under the pointer says; empty if there is none. */
  readonly mark: string
}

/** The plot on the screen, in pixels of the window. */
export interface Place {
  readonly plot: DOMRect
  readonly pointer: readonly [x: number, y: number]
  readonly ink: () => InkMap
}

interface Row {
  readonly row: HTMLElement
  readonly chip: HTMLElement
  readonly name: HTMLElement
  readonly cells: readonly HTMLElement[]
}

const AIR = 4
/** Around the pointer nothing is covered. */
const CLEAR = 24

export class Tooltip {
  readonly #box: HTMLElement
  readonly #name = document.createElement('span')
  readonly #at = document.createElement('b')
  readonly #aside = document.createElement('span')
  readonly #table = document.createElement('div')
  readonly #more = document.createElement('p')
  readonly #mark = document.createElement('p')
  readonly #rows: Row[] = []
  #corner: Corner | 'outside' | null = null
  #shape = ''

  /** `box` is a popover, or a plain element under the chart. */
  constructor(box: HTMLElement) {
    this.#box = box
    const head = document.createElement('p')
    head.className = 'head'
    this.#aside.className = 'aside'
    head.append(this.#name, this.#at, this.#aside)
    this.#table.className = 'rows'
    this.#more.className = 'more'
    this.#mark.className = 'mark'
    box.replaceChildren(head, this.#table, this.#more, this.#mark)
  }

  show(head: Head, text: TooltipText, place: Place | null): void {
    write(this.#name, `${head.name} `)
    write(this.#at, head.at)
    write(this.#aside, head.aside)
    write(this.#more, text.more)
    this.#more.hidden = text.more === ''
    write(this.#mark, head.mark)
    this.#mark.hidden = head.mark === ''
    this.#table.style.setProperty('--columns', String(text.rows[0]?.cells.length ?? 0))
    for (const [at, row] of text.rows.entries()) {
      const parts = this.#row(at, row.cells.length)
      parts.row.hidden = false
      parts.row.classList.toggle('nearest', row.isNearest)
      parts.chip.style.backgroundColor = row.colour
      write(parts.name, row.label)
      for (const [column, cell] of row.cells.entries()) {
        const element = parts.cells[column]
        if (element !== undefined) write(element, cell)
      }
    }
    for (const { row } of this.#rows.slice(text.rows.length)) row.hidden = true
    this.#box.hidden = false
    if (place === null) return
    if (!this.#box.matches(':popover-open')) this.#box.showPopover()
    this.#put(place, `${String(text.rows.length)} ${String(text.rows[0]?.cells.length ?? 0)} ${head.mark}`)
  }

  hide(): void {
    this.#corner = null
    this.#box.hidden = true
    if (this.#box.matches(':popover-open')) this.#box.hidePopover()
  }

  #row(at: number, cells: number): Row {
    const there = this.#rows[at]
    if (there?.cells.length === cells) return there
    const row = document.createElement('div')
    const chip = document.createElement('i')
    const name = document.createElement('span')
    name.className = 'name'
    const columns = Array.from({ length: cells }, () => document.createElement('span'))
    row.append(chip, name, ...columns)
    const made = { row, chip, name, cells: columns }
    if (there === undefined) this.#table.append(row)
    else there.row.replaceWith(row)
    this.#rows[at] = made
    return made
  }

  /** In the emptiest corner, and there until the pointer comes or the shape changes. */
  #put({ plot, pointer, ink }: Place, shape: string): void {
    const width = this.#box.offsetWidth
    const height = this.#box.offsetHeight
    const part = [(width + 2 * AIR) / plot.width, (height + 2 * AIR) / plot.height] as const
    const at = [(pointer[0] - plot.left) / plot.width, (pointer[1] - plot.top) / plot.height] as const
    const pointed = { at, around: [CLEAR / plot.width, CLEAR / plot.height] } as const
    const isCovering =
      this.#corner !== null && this.#corner !== 'outside' && holds(cornerBox(this.#corner, ...part), pointed)
    if (this.#corner === null || isCovering || shape !== this.#shape)
      this.#corner = emptiest(ink(), ...part, pointed) ?? 'outside'
    this.#shape = shape
    const [left, top] =
      this.#corner === 'outside'
        ? outside(plot, { width, height }, { width: innerWidth, height: innerHeight })
        : inside(plot, this.#corner, width, height)
    this.#box.style.transform = `translate(${String(Math.round(left))}px, ${String(Math.round(top))}px)`
    this.#box.dataset.corner = this.#corner
  }
}

function inside(plot: DOMRect, corner: Corner, width: number, height: number): [left: number, top: number] {
  return [
    corner.endsWith('left') ? plot.left + AIR : plot.right - width - AIR,
    corner.startsWith('top') ? plot.top + AIR : plot.bottom - height - AIR,
  ]
}

/** Writing what is there already would still cost a layout. */
function write(element: HTMLElement, text: string): void {
  if (element.textContent !== text) element.textContent = text
}
