// What happens while the pointer is on a chart: the tooltip, the cursor that all cards share, and the nearest line.
import type { Hover, LineChartApi, Reading } from '../../charts/line/types'
import type { Box } from '../../charts/plot/types'
import { inkMap, type Drawn, type InkMap } from '../../charts/tooltip/corner'
import { Tooltip, type Head, type TooltipText } from '../../charts/tooltip/tooltip'
import { duration, moment } from '../../lib/numerals'
import { groupCursorKey, xOn } from '../../state/cursor'
import type { Card } from './card.svelte'
import type { Clocks } from './clocks'
import { axisName, xText } from './labels'
import { keyParts } from './sources'
import { shownValue, tooltipRows, type Context, type TooltipColumn } from './tooltip_rows'

const NARROW = '(max-width: 639px)'

export interface Elements {
  readonly host: HTMLElement
  /** The popover. */
  readonly box: HTMLElement
  /** Rows under the chart, for narrow screens. */
  readonly readout: HTMLElement
}

export class HoverController {
  readonly #card: Card
  readonly #chart: LineChartApi
  readonly #clocks: Clocks
  readonly #elements: Elements
  readonly #floating: Tooltip
  readonly #under: Tooltip
  readonly #stop: () => void
  /** Made again when data, view or size change. */
  #ink: { readonly data: unknown; readonly x: string; readonly map: InkMap } | null = null
  #hover: Hover | null = null
  readonly #narrow = matchMedia(NARROW)

  constructor(card: Card, chart: LineChartApi, clocks: Clocks, elements: Elements) {
    this.#card = card
    this.#chart = chart
    this.#clocks = clocks
    this.#elements = elements
    this.#floating = new Tooltip(elements.box)
    this.#under = new Tooltip(elements.readout)
    this.#stop = card.page.cursor.listen((cursor) => {
      if (this.#hover === null) chart.setCursor(xOn(cursor, card.page.view.values.x))
    })
    this.#hide()
  }

  /** x of the nearest point; null while the pointer is elsewhere. */
  get at(): number | null {
    return this.#hover === null ? null : this.#x(this.#hover)
  }

  /** What is there, for a screen reader. */
  get sentence(): string {
    const hover = this.#hover
    if (hover === null) return ''
    const rows = this.#text(hover).rows.map((row) => `${row.label} ${row.cells[0] ?? ''}`)
    const x = this.#x(hover)
    const marks = this.#card.data.marks
      .filter((mark) => mark.kind !== 'best' && mark.x <= x && x <= (mark.to ?? mark.x))
      .map((mark) => mark.label)
    return `${axisName(this.#card.page.view.values.x)} ${xText(x, this.#card.kind)}: ${[...rows, ...marks].join(', ')}`
  }

  hover(hover: Hover | null): void {
    if (hover === null || hover.readings.length === 0) {
      this.leave()
      return
    }
    // Read before anything is written: it would force a layout afterwards.
    const host = this.#elements.host.getBoundingClientRect()
    if (this.#hover === null) this.#chart.setCursor(null)
    this.#hover = hover
    this.#clocks.want(() => {
      if (this.#hover !== null) this.#show(this.#hover, this.#elements.host.getBoundingClientRect())
    })
    this.#show(hover, host)
    const { cursor, view } = this.#card.page
    const clock = hover.nearest === null ? null : this.#clocks.of(hover.nearest)
    const step = clock?.moment(this.#x(hover), this.#card.kind)?.step ?? null
    cursor.move({
      at: { axis: view.values.x, x: this.#x(hover) },
      ...(this.#card.kind === 'step' ? {} : { step }),
      card: this.#card.spec.id,
      values: this.#values(hover.readings),
      nearest: hover.nearest === null ? null : this.#card.entryOf(hover.nearest),
    })
  }

  leave(): void {
    const wasHere = this.#hover !== null
    this.#hover = null
    this.#hide()
    if (wasHere) this.#card.page.cursor.leave()
  }

  stop(): void {
    this.leave()
    this.#stop()
  }

  #hide(): void {
    this.#floating.hide()
    this.#under.hide()
  }

  #x(hover: Hover): number {
    return hover.readings.find((reading) => reading.key === hover.nearest)?.x ?? hover.x
  }

  /** Run → its value; of its first line if it has several. */
  #values(readings: readonly Reading[]): Map<string, number> {
    const values = new Map<string, number>()
    for (const reading of readings) {
      const entry = this.#card.entryOf(reading.key)
      const key = entry ?? groupCursorKey(keyParts(reading.key)[0])
      if (!values.has(key)) values.set(key, shownValue(reading))
    }
    return values
  }

  #show(hover: Hover, host: DOMRect): void {
    const text = this.#text(hover)
    if (this.#narrow.matches) {
      this.#under.show(this.#head(hover), text, null)
      return
    }
    const { left, top, right, bottom } = this.#chart.area
    this.#floating.show(this.#head(hover), text, {
      plot: { left: host.left + left, top: host.top + top, right: host.left + right, bottom: host.top + bottom },
      pointer: [host.left + hover.at[0], host.top + hover.at[1]],
      ink: () => this.#inkMap(),
      others: () => this.#otherCharts(),
    })
  }

  /** Where other charts are in the window, and the list of runs, which is their legend. */
  #otherCharts(): Box[] {
    const hosts = document.querySelectorAll('[data-card] [role="application"] > [role="img"], [data-legend]')
    return [...hosts].filter((host) => host !== this.#elements.host).map((host) => host.getBoundingClientRect())
  }

  #head(hover: Hover): Head {
    const { kind, page } = this.#card
    const x = this.#x(hover)
    const at = hover.nearest === null ? null : (this.#clocks.of(hover.nearest)?.moment(x, kind) ?? null)
    const head = { name: axisName(page.view.values.x), at: xText(x, kind), mark: hover.mark?.label ?? '' }
    if (at === null) return { ...head, aside: '' }
    if (kind === 'step') return { ...head, aside: `${duration(at.relative)} · ${moment(at.wall)}` }
    const other = kind === 'duration' ? moment(at.wall) : duration(at.relative)
    return { ...head, aside: `step ${xText(at.step, 'step')} · ${other}` }
  }

  #text(hover: Hover): TooltipText {
    const { settings } = this.#card.page
    const { tooltipSort, tooltipRows: limit, tooltipColumns } = settings.values
    const isCompared =
      this.#card.reference !== null && hover.readings.some((reading) => reading.key === this.#card.reference)
    const isSmoothed = hover.readings.some((reading) => reading.smoothed !== null)
    const columns: TooltipColumn[] = [
      isSmoothed ? 'smoothed' : 'value',
      ...tooltipColumns.filter((column) => isSmoothed || column !== 'value'),
    ]
    if (isCompared) columns.push('delta')
    const context: Context = {
      kind: this.#card.kind,
      y: hover.y,
      nearest: hover.nearest,
      named: (key) => this.#named(key),
      clock: (key) => this.#clocks.of(key),
      reference: isCompared ? this.#card.reference : null,
    }
    return tooltipRows(hover.readings, context, { sort: tooltipSort, limit, columns })
  }

  #named(key: string): { label: string; colour: string; isLead: boolean } | null {
    const source = this.#card.sourceByKey.get(key)
    if (source !== undefined) {
      // The band stands for its members.
      return {
        label: source.label,
        colour: source.style.colour,
        isLead: !this.#card.isMember(source.entry) && source.style.role !== 'context',
      }
    }
    const look = this.#card.groupLooks.get(keyParts(key)[0])
    return look === undefined ? null : { label: look.group.name, colour: look.style.colour, isLead: true }
  }

  #inkMap(): InkMap {
    const { data } = this.#card
    const { shownX, shownY, scales } = this.#chart
    const x = JSON.stringify([shownX, shownY])
    if (this.#ink?.data === data && this.#ink.x === x) return this.#ink.map
    const lead = data.lines.filter((line) => line.style.role === 'lead')
    const lines = (lead.length > 0 ? lead : data.lines).map(({ data }): Drawn =>
      data.kind === 'points'
        ? { x: data.x, y: data.smoothed ?? data.y }
        : { x: data.xFirst, y: (data.smoothed ?? data.raw).last },
    )
    const bands = data.bands.map((band): Drawn => ({ x: band.x, y: band.centre }))
    const map = inkMap([...bands, ...lines], scales.x, scales.y)
    this.#ink = { data, x, map }
    return map
  }
}
