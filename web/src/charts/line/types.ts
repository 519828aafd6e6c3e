// Inputs and outputs of a line chart: columns of numbers, colours, scales; nothing about runs, tags or requests.
import type { Numbers, Range } from '../../lib/numbers'
import type { Dash, LegendItem, Neighbour, Trace } from '../../lib/traces'
import type { ChartView, Plot, ScaleKind, Selected, XKind } from '../plot/types'

export type { ChartTheme, ChartView, ScaleKind, Selected, SheetOptions, XKind } from '../plot/types'

export interface LineStyle {
  /** `#rrggbb`, of the theme in force. */
  readonly colour: string
  readonly dash: Dash
  /** `lead` is drawn in colour, above the others; `context` as a grey hairline without raw trace; `member` of a band as a faint one in its colour. */
  readonly role: 'lead' | 'context' | 'member'
}

export interface Line {
  /** Identifies a line of the chart, and stays the same when data arrive. */
  readonly key: string
  /** What people call it: in summaries, exports and direct labels. */
  readonly label: string
  readonly data: Trace
  readonly before: Neighbour | null
  readonly after: Neighbour | null
  readonly style: LineStyle
  /** Whether it is still being written: a dot at its end. */
  readonly isGrowing: boolean
}

/** The centre of a group of lines, and how far they are spread. */
export interface Band {
  readonly key: string
  readonly label: string
  readonly x: Numbers
  readonly centre: Numbers
  readonly low: Numbers
  readonly high: Numbers
  readonly style: LineStyle
}

/** Something to be pointed at: a restart, a note or a gap in a file at an x; the best point of a line. */
export interface Mark {
  readonly kind: 'restart' | 'note' | 'gap' | 'best'
  readonly x: number
  /** Where a gap ends. */
  readonly to?: number
  readonly y?: number
  /** Of the line that it belongs to. */
  readonly key?: string
  readonly label: string
}

export interface ChartData {
  readonly lines: readonly Line[]
  readonly bands: readonly Band[]
  readonly marks: readonly Mark[]
}

export interface ChartOptions {
  readonly xKind: XKind
  readonly xScale: ScaleKind
  readonly yScale: ScaleKind
  /** The range of y leaves out what few values reach, but never most of a line or its best value. */
  readonly ignoreOutliers: boolean
  /** Which values are best, if that is known. */
  readonly better?: 'lower' | 'higher' | null
  /** Fixed range of y, in place of that of the data. */
  readonly yRange: Range | null
  /** Draw each backward jump of x as a line of its own. */
  readonly partition: boolean
  readonly showEnvelope: boolean
  readonly showRaw: boolean
  readonly showBest: boolean
  /** Names the lines and bands in colour at their right ends: for charts with room. */
  readonly showLabels?: boolean
}

/** One line at the cursor. */
export interface Reading {
  readonly key: string
  /** Of the point nearest to the cursor. */
  readonly x: number
  readonly y: number
  readonly smoothed: number | null
  /** Distance on the screen, in pixels. */
  readonly distance: number
}

/** What is under the pointer; readings in the order of the lines, as many as have a point near x. */
export interface Hover {
  readonly x: number
  readonly y: number
  /** In pixels, from the top left of the chart. */
  readonly at: readonly [left: number, top: number]
  readonly nearest: string | null
  readonly readings: readonly Reading[]
  /** The restart, note or gap under the pointer; the chart itself writes its label. */
  readonly mark: Mark | null
}

export interface ChartEvents {
  /** At most once per frame; null when the pointer has left. */
  hover(hover: Hover | null): void
  /** The person zoomed, panned (`view`) or asked for everything (both null). */
  view(view: ChartView): void
  /** The person pressed a point of the plot without dragging. */
  pick(x: number): void
  /** A fob of the selected step or range was dragged. */
  select(selection: Selected): void
  /** A plain wheel turned over the plot: time to explain how to zoom. */
  wheelHint(): void
}

/** What `charts/line/chart.ts` offers: `new LineChart(host, events)`. */
export interface LineChartApi extends Plot {
  setData(data: ChartData): void
  setOptions(options: ChartOptions): void
  /** The line to be drawn thick; null for none. */
  setHighlight(key: string | null): void
  /** Moves the cursor to the next point of the nearest line: for keys. */
  step(by: number): void
  /** Readings at an x, wherever the pointer is. */
  readingsAt(x: number): readonly Reading[]
  /** What it draws in colour. */
  legend(): readonly LegendItem[]
}
