// What every chart with two axes is given and offers: scales, view, theme, cursor, files; nothing of what is drawn in it.
import type { Range } from '../../lib/numbers'
import type { Scale, ScaleKind } from './scale'

export type { ScaleKind }

/** How x is written: steps with thousands commas, seconds as durations, seconds since the epoch as dates, any value. */
export type XKind = 'step' | 'duration' | 'date' | 'value'

/** A rectangle in CSS pixels from the top left of the chart. */
export interface Box {
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
 * A chart with an x and a y axis. Setters only note what is requested; drawing happens in the shared frame (`lib/frames.ts`),
 * and not at all while the chart is not visible.
 */
export interface Plot {
  setView(view: ChartView): void
  setTheme(theme: ChartTheme): void
  setSelected(selected: Selected): void
  /** The cursor of another card, on this chart's x axis; null for none. Never repaints what is drawn. */
  setCursor(x: number | null): void
  /** Off-screen charts release their pixels. */
  setVisible(isVisible: boolean): void
  /** Where data is drawn: inside the margins, which depend on the labels of the axes. */
  readonly area: Box
  /** How many pixel columns to request; an estimate before the first layout. */
  readonly plotWidth: number
  /** What is on the screen now. */
  readonly shownX: Range | null
  readonly shownY: Range | null
  /** From values to pixels, for what is placed over the chart. */
  readonly scales: { readonly x: Scale; readonly y: Scale }
  /** The x at a pixel from the left of the chart, or at the nearer end of the plot; null where nothing is shown. */
  xAt(pixel: number): number | null
  /** Zooms around the centre (factor < 1 is nearer), pans by parts of the width: for keys. */
  zoom(factor: number): void
  pan(part: number): void
  /** `theme` and `colourOf` (by the key of what is drawn) for paper of another colour than the screen's. */
  toSvg(options: SheetOptions): string
  toCanvas(options: SheetOptions & { readonly scale: number }): HTMLCanvasElement
  destroy(): void
}
