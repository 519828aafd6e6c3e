// What a line chart is given and what it tells: columns of numbers, colours, scales; nothing of runs, tags or requests.
import type { Numbers, Range } from '../../lib/numbers'
import type { Dash, Neighbour, Trace } from '../../lib/traces'

export interface LineStyle {
  /** `#rrggbb`, of the theme in force. */
  readonly colour: string
  readonly dash: Dash
  /** `lead` is drawn in colour, above the others; `context` as a grey hairline without raw trace; `member` of a band as a faint one in its colour. */
  readonly role: 'lead' | 'context' | 'member'
}

export interface Line {
  /** Tells the lines of a chart apart, and stays the same when data come. */
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

/** The middle of a group of lines, and how far they are spread. */
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

export type ScaleKind = 'linear' | 'log' | 'symlog'

/** How x is written: steps with thousands commas, seconds as durations, seconds since the epoch as dates, any value. */
export type XKind = 'step' | 'duration' | 'date' | 'value'

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

/** Where lines are drawn, without margins: in CSS pixels from the top left of the chart. */
export interface PlotArea {
  readonly left: number
  readonly top: number
  readonly right: number
  readonly bottom: number
}

/** What part is shown; null fits the data. */
export interface ChartView {
  readonly x: Range | null
  readonly y: Range | null
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
  /** A plain wheel turned over the plot: time to tell how to zoom. */
  wheelHint(): void
}

/** A chosen step (`to` is null) or range. */
export type Selected = { readonly from: number; readonly to: number | null } | null

/** Colours of paper and ink, of the theme in force. */
export interface ChartTheme {
  readonly surface: string
  readonly ink: string
  readonly ink3: string
  readonly grid: string
  readonly zero: string
  readonly bulk: string
  readonly veil: string
  readonly bad: string
  readonly sans: string
  readonly mono: string
}

/** A chart as a file. */
export interface SheetOptions {
  readonly title: string
  readonly legend: boolean
  readonly theme?: ChartTheme
  readonly colourOf?: (key: string) => string
}

/**
 * What `charts/line/chart.ts` offers: `new LineChart(host, events)`.
 * Setters only note what is wanted; drawing happens in the shared frame (`lib/frames.ts`), and not at all while not visible.
 */
export interface LineChartApi {
  setData(data: ChartData): void
  setOptions(options: ChartOptions): void
  setView(view: ChartView): void
  setTheme(theme: ChartTheme): void
  setSelected(selected: Selected): void
  /** The cursor of another card; null for none. Never repaints the lines. */
  setCursor(x: number | null): void
  /** The line to be drawn thick; null for none. */
  setHighlight(key: string | null): void
  /** Off-screen charts let go of their pixels. */
  setVisible(isVisible: boolean): void
  /** Inside the margins, which depend on the labels of the axes. */
  readonly plot: PlotArea
  /** How many pixel columns to request; an estimate before the first layout. */
  readonly plotWidth: number
  /** What is on the screen now. */
  readonly shownX: Range | null
  readonly shownY: Range | null
  /** The x at a pixel from the left of the chart, or at the nearer end of the plot; null where nothing is shown. */
  xAt(pixel: number): number | null
  /** Zooms around the middle (factor < 1 is nearer), pans by parts of the width: for keys. */
  zoom(factor: number): void
  pan(part: number): void
  /** Moves the cursor to the next point of the nearest line: for keys. */
  step(by: number): void
  /** Readings at an x, wherever the pointer is. */
  readingsAt(x: number): readonly Reading[]
  /** `theme` and `colourOf` (of a line or band, by its key) for paper of another colour than the screen's. */
  toSvg(options: SheetOptions): string
  toCanvas(options: SheetOptions & { readonly scale: number }): HTMLCanvasElement
  destroy(): void
}
