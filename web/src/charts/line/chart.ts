// The line chart: stores its data, draws it in its animation frame, and reports what people do with it.
import { frames } from '../../lib/frames'
import type { Range } from '../../lib/numbers'
import type { LegendItem } from '../../lib/traces'
import { curvesOf, type Curve } from './curves'
import { isPoint } from '../plot/domain'
import { Gestures, type GestureHandler } from '../plot/gestures'
import { nearestKey, placeAt, readingsAt } from './hit'
import { CanvasInk } from '../plot/ink'
import { layOut, MARGIN, type Layout } from '../plot/layout'
import { paintBox } from '../plot/readouts'
import type { Scale } from '../plot/scale'
import { legendOf, paintSheet, sheetHeight, TITLE_HEIGHT } from '../plot/sheet'
import type { Box } from '../plot/types'
import { domainsOf, type Domains } from './domains'
import { paintCrosshair, paintLit } from './overlay'
import { paint } from './paint'
import { legendItems, type Picture } from './picture'
import { panned, zoomed } from '../plot/scale'
import { SelectionLayer } from '../plot/selection'
import { describe } from './summary'
import { Surface } from '../plot/surface'
import { SvgInk } from '../plot/svg'
import type {
  ChartData,
  ChartEvents,
  ChartOptions,
  ChartTheme,
  ChartView,
  Hover,
  LineChartApi,
  LineStyle,
  Mark,
  Reading,
  Selected,
  SheetOptions,
} from './types'

const NO_DATA: ChartData = { lines: [], bands: [], marks: [] }
const FIT: ChartView = { x: null, y: null }
/** From a pointer to a mark that it means, in pixels. */
const MARK_REACH = 7

const OPTIONS: ChartOptions = {
  xKind: 'step',
  xScale: 'linear',
  yScale: 'linear',
  ignoreOutliers: true,
  yRange: null,
  partition: true,
  showEnvelope: true,
  showRaw: true,
  showBest: false,
}

const THEME: ChartTheme = {
  surface: '#ffffff',
  ink: '#1b1d1f',
  ink3: '#63676b',
  grid: '#eaeae5',
  zero: '#c9c9c1',
  bulk: '#bcbcb5',
  veil: 'rgb(27 29 31 / .05)',
  bad: '#a8232f',
  sans: 'sans-serif',
  mono: 'monospace',
}

export class LineChart implements LineChartApi {
  readonly #host: HTMLElement
  readonly #events: ChartEvents
  readonly #lines: Surface
  readonly #lit: Surface
  readonly #over: Surface
  readonly #linked: HTMLDivElement
  readonly #selection: SelectionLayer
  readonly #gestures: Gestures
  readonly #resize: ResizeObserver
  readonly #drawing = {
    draw: () => {
      this.#draw()
    },
    urgency: () => this.#urgency(),
  }
  readonly #drawOver = () => {
    this.#paintOver()
  }
  /** Zooming the page, or moving it to another screen, changes how many pixels there are. */
  readonly #sharpen = () => {
    if (window.devicePixelRatio !== this.#ratio) this.#stale()
  }
  readonly #reportView = () => {
    this.#isViewReported = true
    this.#events.view(this.#view)
  }

  #data = NO_DATA
  #options = OPTIONS
  #theme = THEME
  #view = FIT
  #size: readonly [width: number, height: number] = [0, 0]
  #isVisible = true
  #cursor: number | null = null
  #highlight: string | null = null

  // Made from the above when needed; null when out of date.
  #curves: Curve[] | null = null
  #domains: Domains | null = null
  #layout: Layout | null = null
  #colours: Map<string, string> | null = null

  #pointer: readonly [number, number] | null = null
  #hover: Hover | null = null
  #isHoverReported = true
  #isViewReported = true
  #box: Box | null = null
  #litKey: string | null = null
  #paints = 0
  #ratio = 1

  constructor(host: HTMLElement, events: ChartEvents, handles = host) {
    this.#host = host
    this.#events = events
    Object.assign(host.style, { position: 'relative', overflow: 'hidden', touchAction: 'pan-y', userSelect: 'none' })
    this.#lines = new Surface(host, 'lines')
    this.#lit = new Surface(host, 'lit')
    this.#over = new Surface(host, 'over')
    this.#linked = linkedCursor(host)
    this.#selection = new SelectionLayer(host, handles, (selected) => {
      events.select(selected)
    })
    this.#gestures = new Gestures(host, this.#handler())
    this.#resize = new ResizeObserver(() => {
      this.#measure()
    })
    this.#resize.observe(host)
    window.addEventListener('resize', this.#sharpen)
    host.dataset.state = 'waiting'
    // A canvas does not wait for its letters, nor draw them again when they have come.
    if (document.fonts.status === 'loading')
      void document.fonts.ready.then(() => {
        this.#stale()
      })
  }

  setData(data: ChartData): void {
    this.#data = data
    this.#curves = null
    this.#colours = null
    this.#stale()
  }

  setOptions(options: ChartOptions): void {
    if (options.partition !== this.#options.partition) this.#curves = null
    this.#options = options
    this.#stale()
  }

  setView(view: ChartView): void {
    // The user has just zoomed, which is reported in the next frame: an older view must not undo it.
    if (!this.#isViewReported || (isSame(view.x, this.#view.x) && isSame(view.y, this.#view.y))) return
    this.#view = view
    this.#stale()
  }

  setTheme(theme: ChartTheme): void {
    this.#theme = theme
    this.#colours = null
    this.#selection.setTheme(theme)
    this.#linked.style.borderLeftColor = theme.ink3
    this.#stale()
  }

  setSelected(selected: Selected): void {
    this.#selection.set(selected)
  }

  setCursor(x: number | null): void {
    this.#cursor = x
    this.#moveLinked()
  }

  setHighlight(key: string | null): void {
    if (key === this.#highlight) return
    this.#highlight = key
    frames.next(this.#drawOver)
  }

  setVisible(isVisible: boolean): void {
    if (isVisible === this.#isVisible) return
    this.#isVisible = isVisible
    if (isVisible) {
      this.#measure()
      this.#stale()
      return
    }
    frames.forget(this.#drawing)
    for (const surface of [this.#lines, this.#lit, this.#over]) surface.release()
    this.#host.dataset.state = 'away'
  }

  get area(): Box {
    return this.#laidOut().plot
  }

  get scales(): { readonly x: Scale; readonly y: Scale } {
    return this.#laidOut()
  }

  get plotWidth(): number {
    const plot = this.#layout?.plot
    return plot === undefined ? Math.max(1, this.#size[0] - MARGIN.left - MARGIN.right) : plot.right - plot.left
  }

  get shownX(): Range | null {
    return this.#data.lines.length + this.#data.bands.length === 0 ? this.#view.x : this.#laidOut().x.domain
  }

  get shownY(): Range | null {
    return this.#data.lines.length + this.#data.bands.length === 0 ? this.#view.y : this.#laidOut().y.domain
  }

  xAt(pixel: number): number | null {
    if (this.shownX === null) return null
    const { plot, x } = this.#laidOut()
    return x.value(Math.max(plot.left, Math.min(plot.right, pixel)))
  }

  zoom(factor: number): void {
    const { plot } = this.#laidOut()
    this.#zoomAt([(plot.left + plot.right) / 2, 0], factor, 1)
  }

  pan(part: number): void {
    const { plot } = this.#laidOut()
    this.#pan(-part * (plot.right - plot.left), 0, false)
  }

  step(by: number): void {
    const layout = this.#laidOut()
    const middle = (layout.plot.left + layout.plot.right) / 2
    const at = this.#hover ?? this.#hoverAt(layout.x.value(middle), (layout.plot.top + layout.plot.bottom) / 2)
    const curve = this.#curvesNow().find((one) => one.line.key === (this.#highlight ?? at.nearest))
    if (curve === undefined || curve.x.length === 0) return
    const place = this.#hover === null ? 0 : by
    const from = Math.max(0, placeAt(curve, layout, at.x, layout.x.at(at.x), NaN))
    const to = Math.max(0, Math.min(curve.x.length - 1, from + place))
    const value = curve.main[to] as number
    this.#pointer = null
    this.#show(
      this.#hoverAt(curve.x[to] as number, Number.isFinite(value) ? layout.y.at(value) : at.at[1], curve.line.key),
    )
  }

  readingsAt(x: number): readonly Reading[] {
    return readingsAt(this.#curvesNow(), this.#data.bands, this.#laidOut(), x, NaN)
  }

  legend(): readonly LegendItem[] {
    return legendItems({ bands: this.#data.bands, curves: this.#curvesNow() })
  }

  toSvg(options: SheetOptions): string {
    const { title, legend, theme = this.#theme } = options
    const measuring = new CanvasInk(this.#lines.measuring(), 1, theme)
    const ink = new SvgInk(theme, (text, font) => measuring.textWidth(text, font))
    const picture = this.#sheetPicture(options, (text) => ink.textWidth(text, 'sans'))
    const { layout } = picture
    const entries = legend ? legendOf(legendItems(picture), layout.width, (text) => ink.textWidth(text, 'sans')) : []
    paintSheet(ink, picture, title, entries, () => {
      paint(ink, picture)
    })
    return ink.document(layout.width, sheetHeight(layout, entries), title)
  }

  toCanvas(options: SheetOptions & { readonly scale: number }): HTMLCanvasElement {
    const { title, legend, scale, theme = this.#theme } = options
    const measuring = new CanvasInk(this.#lines.measuring(), 1, theme)
    const width = (text: string) => measuring.textWidth(text, 'sans')
    const picture = this.#sheetPicture(options, width)
    const { layout } = picture
    const entries = legend ? legendOf(legendItems(picture), layout.width, width) : []
    const canvas = document.createElement('canvas')
    canvas.width = Math.round(layout.width * scale)
    canvas.height = Math.round(sheetHeight(layout, entries) * scale)
    const context = canvas.getContext('2d')
    if (context === null) throw new Error('the browser provided no canvas')
    const ink = new CanvasInk(context, scale, theme)
    paintSheet(ink, picture, title, entries, () => {
      paint(ink, picture)
    })
    return canvas
  }

  destroy(): void {
    this.#isVisible = false
    frames.forget(this.#drawing)
    frames.cancel(this.#drawOver)
    frames.cancel(this.#reportView)
    this.#resize.disconnect()
    window.removeEventListener('resize', this.#sharpen)
    this.#gestures.destroy()
    this.#selection.destroy()
    this.#linked.remove()
    for (const surface of [this.#lines, this.#lit, this.#over]) surface.destroy()
  }

  // --- what is where ---

  #stale(): void {
    this.#domains = null
    this.#layout = null
    if (this.#isVisible) frames.ask(this.#drawing)
  }

  #measure(): void {
    const { clientWidth, clientHeight } = this.#host
    if (clientWidth === this.#size[0] && clientHeight === this.#size[1]) return
    this.#size = [clientWidth, clientHeight]
    this.#stale()
  }

  get #hasSize(): boolean {
    return this.#size[0] > 0 && this.#size[1] > 0
  }

  #curvesNow(): Curve[] {
    return (this.#curves ??= curvesOf(this.#data, this.#options.partition))
  }

  #domainsNow(): Domains {
    return (this.#domains ??= domainsOf(this.#curvesNow(), this.#data.bands, this.#options, this.#view))
  }

  #laidOut(): Layout {
    if (this.#layout === null) {
      const ink = new CanvasInk(this.#lines.measuring(), 1, this.#theme)
      this.#layout = layOut(...this.#size, this.#domainsNow(), this.#options, (text) => ink.textWidth(text, 'sans'))
    }
    return this.#layout
  }

  #picture(layout: Layout): Picture {
    const { bands, marks } = this.#data
    return { layout, curves: this.#curvesNow(), bands, marks, options: this.#options, theme: this.#theme }
  }

  #sheetPicture({ title, theme = this.#theme, colourOf }: SheetOptions, textWidth: (text: string) => number): Picture {
    const more = title === '' ? 0 : TITLE_HEIGHT
    const [width, height] = this.#size
    const picture = this.#picture(layOut(width, height + more, this.#domainsNow(), this.#options, textWidth, more))
    if (colourOf === undefined) return { ...picture, theme }
    const inked = <T extends { readonly key: string; readonly style: LineStyle }>(one: T): T => ({
      ...one,
      style: { ...one.style, colour: colourOf(one.key) },
    })
    return {
      ...picture,
      theme,
      bands: picture.bands.map(inked),
      curves: picture.curves.map((curve) => ({ ...curve, line: inked(curve.line) })),
    }
  }

  /** Charts near the centre of the window are drawn first. */
  #urgency(): number {
    const { top, bottom } = this.#host.getBoundingClientRect()
    return Math.abs((top + bottom) / 2 - window.innerHeight / 2)
  }

  // --- drawing ---

  #draw(): void {
    const [width, height] = this.#size
    if (!this.#isVisible || !this.#hasSize) return
    const layout = this.#laidOut()
    this.#ratio = window.devicePixelRatio
    const ink = this.#lines.begin(width, height, this.#theme)
    paint(ink, this.#picture(layout))
    this.#litKey = null
    this.#lit.release()
    this.#selection.lay(layout, this.#options)
    this.#linked.style.height = `${String(layout.plot.bottom - layout.plot.top)}px`
    this.#moveLinked()
    this.#report(layout)
    if (this.#pointer !== null) this.#point(this.#pointer)
    else if (this.#hover !== null) this.#hover = this.#hoverAt(this.#hover.x, this.#hover.at[1], this.#hover.nearest)
    frames.next(this.#drawOver)
  }

  /** What was drawn, for tests and for people who do not see it. */
  #report(layout: Layout): void {
    const { dataset } = this.#host
    const count = this.#data.lines.length + this.#data.bands.length
    dataset.lines = String(count)
    dataset.x = layout.x.domain.map((end) => String(Number(end.toPrecision(6)))).join(' ')
    dataset.y = layout.y.domain.map((end) => String(Number(end.toPrecision(6)))).join(' ')
    dataset.paints = String(++this.#paints)
    dataset.state = count > 0 ? 'drawn' : 'empty'
    this.#lines.label(describe(this.#data, layout, this.#options))
  }

  #paintOver(): void {
    const [width, height] = this.#size
    if (!this.#isVisible || !this.#hasSize) return
    const picture = this.#picture(this.#laidOut())
    if (this.#pointer !== null && !this.#isHoverReported) this.#hover = this.#hoverOf(this.#pointer)
    this.#paintLit(picture, this.#hover?.nearest ?? this.#highlight)
    if (this.#box !== null) paintBox(this.#over.begin(width, height, this.#theme), picture, this.#box)
    else if (this.#hover !== null)
      paintCrosshair(this.#over.begin(width, height, this.#theme), picture, this.#hover, this.#coloursNow())
    else this.#over.release()
    this.#host.dataset.overPaints = String(this.#over.paints)
    if (this.#isHoverReported) return
    this.#isHoverReported = true
    this.#events.hover(this.#hover)
  }

  #paintLit(picture: Picture, key: string | null): void {
    if (key === this.#litKey) return
    this.#litKey = key
    const lit = picture.curves.find((curve) => curve.line.key === key) ?? picture.bands.find((band) => band.key === key)
    if (lit === undefined) this.#lit.release()
    else paintLit(this.#lit.begin(...this.#size, this.#theme), picture, lit)
  }

  #moveLinked(): void {
    const x = this.#cursor
    const layout = this.#layout
    const at = x === null || layout === null ? NaN : layout.x.at(x)
    const isShown = layout !== null && this.shownX !== null && at >= layout.plot.left && at <= layout.plot.right
    const { style } = this.#linked
    style.display = isShown ? '' : 'none'
    if (isShown) style.transform = `translate(${String(Math.round(at))}px, ${String(layout.plot.top)}px)`
  }

  #coloursNow(): Map<string, string> {
    if (this.#colours !== null) return this.#colours
    this.#colours = new Map()
    for (const { key, style } of [...this.#data.bands, ...this.#data.lines]) {
      if (style.role === 'lead') this.#colours.set(key, style.colour)
    }
    return this.#colours
  }

  // --- the pointer ---

  #handler(): GestureHandler {
    const plot = () => (this.#hasSize ? this.area : null)
    return {
      get plot(): Box | null {
        return plot()
      },
      point: (at) => {
        this.#point(at)
      },
      box: (box) => {
        this.#box = box
        frames.next(this.#drawOver)
      },
      zoomTo: (box) => {
        this.#zoomTo(box)
      },
      pan: (dx, dy, isVertical) => {
        this.#pan(dx, dy, isVertical)
      },
      zoomAt: (at, factorX, factorY) => {
        this.#zoomAt(at, factorX, factorY)
      },
      fit: () => {
        this.#change(FIT)
      },
      press: (at) => {
        this.#press(at)
      },
      wheelHint: () => {
        this.#events.wheelHint()
      },
    }
  }

  #point(at: readonly [number, number] | null): void {
    const isInside = at !== null && this.#hasSize && isNear(this.area, at)
    this.#pointer = isInside ? at : null
    if (!isInside && this.#hover === null) return
    if (!isInside) this.#hover = null
    this.#isHoverReported = false
    frames.next(this.#drawOver)
  }

  #show(hover: Hover): void {
    this.#hover = hover
    this.#isHoverReported = false
    frames.next(this.#drawOver)
  }

  #hoverOf(at: readonly [number, number]): Hover {
    const layout = this.#laidOut()
    const px = Math.max(layout.plot.left, Math.min(layout.plot.right, at[0]))
    return this.#hoverAt(layout.x.value(px), at[1])
  }

  /** The cursor goes to the nearest point of the nearest line, or that of `key`. */
  #hoverAt(x: number, py: number, key: string | null = null): Hover {
    const layout = this.#laidOut()
    const curves = this.#curvesNow()
    const px = layout.x.at(x)
    const readings = readingsAt(curves, this.#data.bands, layout, x, py)
    const nearest = key ?? nearestKey(curves, readings, layout, px, py)
    const reading = readings.find((one) => one.key === nearest)
    const rounded = this.#options.xKind === 'step' ? Math.round(x) : x
    return {
      x: reading?.x ?? rounded,
      y: layout.y.value(py),
      at: [px, py],
      nearest,
      readings,
      mark: this.#markAt(px, py, layout),
    }
  }

  #markAt(px: number, py: number, layout: Layout): Mark | null {
    if (py < layout.plot.bottom - 28) return null
    const isAt = ({ kind, x, to }: Mark) =>
      kind !== 'best' && px >= layout.x.at(x) - MARK_REACH && px <= layout.x.at(to ?? x) + MARK_REACH
    return this.#data.marks.find(isAt) ?? null
  }

  #press(at: readonly [number, number]): void {
    const hover = this.#hoverOf(at)
    this.#events.pick(hover.x)
  }

  #zoomTo(box: Box): void {
    const { x, y, plot } = this.#laidOut()
    const isTall = box.top <= plot.top && box.bottom >= plot.bottom
    const isWide = box.left <= plot.left && box.right >= plot.right
    this.#change({
      x: isWide ? this.#view.x : [x.value(box.left), x.value(box.right)],
      y: isTall ? this.#view.y : [y.value(box.bottom), y.value(box.top)],
    })
  }

  #pan(dx: number, dy: number, isVertical: boolean): void {
    const { x, y } = this.#laidOut()
    const isFreeY = isVertical || this.#view.y !== null
    this.#change({ x: dx === 0 ? this.#view.x : panned(x, dx), y: isFreeY ? panned(y, dy) : null })
  }

  #zoomAt(at: readonly [number, number], factorX: number, factorY: number): void {
    const { x, y } = this.#laidOut()
    const [from, to] = this.#domainsNow().fullX
    const wanted = factorX === 1 ? this.#view.x : zoomed(x, at[0], factorX)
    const isAll = wanted !== null && wanted[0] <= from && wanted[1] >= to
    this.#change({
      x: isAll ? null : wanted,
      y: factorY === 1 ? this.#view.y : isAll ? null : zoomed(y, at[1], factorY),
    })
  }

  #change(view: ChartView): void {
    if ((view.x !== null && isPoint(view.x)) || (view.y !== null && isPoint(view.y))) return
    this.#view = view
    this.#isViewReported = false
    this.#stale()
    frames.next(this.#reportView)
  }
}

/** Whether a pointer is over the plot, with a little slack at its sides and below. */
function isNear(plot: Box, [x, y]: readonly [number, number]): boolean {
  return x >= plot.left - 2 && x <= plot.right + 2 && y <= plot.bottom + 2
}

function isSame(a: Range | null, b: Range | null): boolean {
  return a === b || (a !== null && b !== null && a[0] === b[0] && a[1] === b[1])
}

/** Moved by the compositor alone: its pixels never change. It is a layer of its own, so it is there only while it is shown. */
function linkedCursor(host: HTMLElement): HTMLDivElement {
  const line = document.createElement('div')
  line.dataset.part = 'cursor'
  Object.assign(line.style, {
    position: 'absolute',
    left: '0',
    top: '0',
    width: '0',
    borderLeft: '1px dashed',
    willChange: 'transform',
    display: 'none',
    pointerEvents: 'none',
  })
  host.append(line)
  return line
}
