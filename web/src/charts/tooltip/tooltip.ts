// The tooltip of a chart: written and placed without the framework, since it follows the pointer's every move.
import type { Box } from '../plot/types'
import {
  beside,
  cornerBox,
  emptiest,
  freestSide,
  holds,
  type Corner,
  type InkMap,
  type Pointed,
  type Side,
  type Size,
} from './corner'

export interface TooltipRow {
  readonly key: string
  readonly label: string
  readonly colour: string
  readonly isNearest: boolean
  /** In the order of the columns. */
  readonly cells: readonly string[]
}

export interface TooltipText {
  /** Names of the columns. */
  readonly columns: readonly string[]
  readonly rows: readonly TooltipRow[]
  /** `2 more, 10 in grey`; empty if all are there. */
  readonly more: string
}

/** The first line of a tooltip. */
export interface Head {
  readonly name: string
  readonly at: string
  readonly aside: string
  /** What the note, restart or gap under the pointer says; empty if there is none. */
  readonly mark: string
}

/** The plot on the screen, in pixels of the window. */
export interface Place {
  readonly plot: Box
  readonly pointer: readonly [x: number, y: number]
  readonly ink: () => InkMap
  /** Other charts, which should not be covered; requested only when the tooltip is moved to another place. */
  readonly others: () => readonly Box[]
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
  readonly #columns = document.createElement('p')
  readonly #more = document.createElement('p')
  readonly #mark = document.createElement('p')
  readonly #rows: Row[] = []
  /** Reports the size after the layout of each frame: to read it would force a layout before that. */
  readonly #sizes = new ResizeObserver((entries) => {
    const size = entries.at(-1)?.borderBoxSize[0]
    if (size !== undefined && this.#isOpen) this.#resize(size.inlineSize, size.blockSize)
  })
  #last: Place | null = null
  #place: Corner | Side | null = null
  #size: Size = { width: 0, height: 0 }
  /** Of the window, which is as costly to read. */
  #window: Size = { width: 0, height: 0 }
  #isOpen = false

  /** `box` is a popover, or a plain element under the chart. */
  constructor(box: HTMLElement) {
    this.#box = box
    const head = document.createElement('p')
    head.className = 'head'
    this.#aside.className = 'aside'
    head.append(this.#name, this.#at, this.#aside)
    this.#table.className = 'rows'
    this.#columns.className = 'columns'
    this.#table.append(this.#columns)
    this.#more.className = 'more'
    this.#mark.className = 'mark'
    box.replaceChildren(head, this.#table, this.#more, this.#mark)
  }

  /** Reads no layout after it wrote. */
  show(head: Head, text: TooltipText, place: Place | null): void {
    const others = place !== null && this.#isOpen && this.#isInTheWay(place) ? place.others() : null
    write(this.#name, `${head.name} `)
    write(this.#at, head.at)
    write(this.#aside, head.aside)
    write(this.#more, text.more)
    this.#more.hidden = text.more === ''
    write(this.#mark, head.mark)
    this.#mark.hidden = head.mark === ''
    this.#table.style.setProperty('--columns', String(text.columns.length))
    this.#writeColumns(text.columns)
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
    this.#last = place
    if (this.#isOpen) {
      if (others !== null) this.#choose(place, others)
      this.#put(place)
    } else {
      this.#isOpen = true
      this.#box.showPopover()
      this.#sizes.observe(this.#box, { box: 'border-box' })
    }
  }

  hide(): void {
    this.#last = this.#place = null
    this.#sizes.unobserve(this.#box)
    this.#box.hidden = true
    if (this.#isOpen) this.#box.hidePopover()
    this.#isOpen = false
  }

  /** One column of figures needs no name. */
  #writeColumns(columns: readonly string[]): void {
    this.#columns.hidden = columns.length < 2
    while (this.#columns.children.length < columns.length) this.#columns.append(document.createElement('span'))
    for (const [at, element] of [...this.#columns.children].entries()) {
      if (element instanceof HTMLElement) {
        element.hidden = at >= columns.length
        write(element, columns[at] ?? '')
      }
    }
  }

  #row(at: number, cells: number): Row {
    const there = this.#rows[at]
    if (there?.cells.length === cells) return there
    const row = document.createElement('div')
    const chip = document.createElement('i')
    // Isolated, as the name is cut off at its start where it does not fit: its end says most.
    const name = document.createElement('bdi')
    const cut = document.createElement('span')
    cut.className = 'name'
    cut.append(name)
    const columns = Array.from({ length: cells }, () => document.createElement('span'))
    row.append(chip, cut, ...columns)
    const made = { row, chip, name, cells: columns }
    if (there === undefined) this.#table.append(row)
    else there.row.replaceWith(row)
    this.#rows[at] = made
    return made
  }

  /** Called after a layout, so that sizes and places can be read. Another number of rows may fit elsewhere better. */
  #resize(width: number, height: number): void {
    const isHigher = height !== this.#size.height
    this.#size = { width, height }
    this.#window = { width: innerWidth, height: innerHeight }
    const place = this.#last
    if (place === null) return
    if (this.#place === null || isHigher || this.#isInTheWay(place)) this.#choose(place, place.others())
    this.#put(place)
  }

  /** Whether it covers the pointer, or has no place yet. */
  #isInTheWay(place: Place): boolean {
    const chosen = this.#place
    if (chosen === null) return true
    const { part, pointed } = this.#partsOf(place)
    return isCorner(chosen) && holds(cornerBox(chosen, ...part), pointed)
  }

  /** In the emptiest corner, or where it covers no other chart. */
  #choose(place: Place, others: readonly Box[]): void {
    const { part, pointed } = this.#partsOf(place)
    this.#place = emptiest(place.ink(), ...part, pointed) ?? freestSide(place.plot, this.#size, this.#window, others)
  }

  /** Its size and the pointer, as parts of the plot. */
  #partsOf({ plot, pointer }: Place): { readonly part: readonly [number, number]; readonly pointed: Pointed } {
    const across = plot.right - plot.left
    const down = plot.bottom - plot.top
    const { width, height } = this.#size
    return {
      part: [(width + 2 * AIR) / across, (height + 2 * AIR) / down],
      pointed: {
        at: [(pointer[0] - plot.left) / across, (pointer[1] - plot.top) / down],
        around: [CLEAR / across, CLEAR / down],
      },
    }
  }

  #put({ plot }: Place): void {
    const chosen = this.#place ?? 'below'
    const { width, height } = this.#size
    const [left, top] = isCorner(chosen)
      ? inside(plot, chosen, width, height)
      : beside(plot, chosen, this.#size, this.#window)
    this.#box.style.transform = `translate(${String(Math.round(left))}px, ${String(Math.round(top))}px)`
    this.#box.dataset.corner = chosen
  }
}

function isCorner(place: Corner | Side): place is Corner {
  return place.includes('-')
}

function inside(plot: Box, corner: Corner, width: number, height: number): [left: number, top: number] {
  return [
    corner.endsWith('left') ? plot.left + AIR : plot.right - width - AIR,
    corner.startsWith('top') ? plot.top + AIR : plot.bottom - height - AIR,
  ]
}

/** Writing what is there already would still cost a layout. */
function write(element: HTMLElement, text: string): void {
  if (element.textContent !== text) element.textContent = text
}
