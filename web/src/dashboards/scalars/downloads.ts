// Files and texts made from a card: every point of the shown runs, pictures of the chart, links.
import { LineChart } from '../../charts/line/chart'
import type { ChartData, ChartOptions, ChartTheme, ChartView, LineChartApi, LineStyle } from '../../charts/line/types'
import type { ExportQuery } from '../../api/client'
import { PALETTES } from '../../lib/palettes'
import type { Card } from './card.svelte'
import { figureName, figures } from './sources'

/** What the server is asked for: each tag and expression with the runs that are drawn. */
export function exportQuery(card: Pick<Card, 'spec' | 'sources'>, format: 'csv' | 'json'): ExportQuery {
  const cards = figures(card.spec).map((figure) => ({
    ...figure,
    runs: [...new Set(card.sources.filter((source) => source.tag === figureName(figure)).map((source) => source.run))],
  }))
  return { cards: cards.filter(({ runs }) => runs.length > 0), format }
}

/** `train/loss` → `train_loss.csv`. */
export function fileName(title: string, ending: string): string {
  const plain = title.replace(/[^\p{L}\p{N}.=+-]+/gu, '_').replace(/^_+|_+$/g, '').slice(0, 100)
  return `${plain || 'chart'}.${ending}`
}

/** Gives the browser a file to keep. */
export function save(content: Blob, name: string): void {
  const url = URL.createObjectURL(content)
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  // Some browsers begin to read only after the click was dealt with.
  setTimeout(() => { URL.revokeObjectURL(url) }, 10_000)
}

// Of styles/tokens.css, whatever theme is in force: for paper.
const PRINT: Omit<ChartTheme, 'sans' | 'mono'> = {
  surface: '#ffffff', ink: '#1b1d1f', ink3: '#63676b', grid: '#eaeae5', zero: '#c9c9c1', bulk: '#bcbcb5', veil: 'rgb(27 29 31 / .05)', bad: '#a8232f',
}
const PRINT_SIZE = { width: 720, height: 400 }

/** The chart for a paper: light colours, a legend, the same size whatever the screen. */
export function printable(data: ChartData, options: ChartOptions, view: ChartView, fonts: Pick<ChartTheme, 'sans' | 'mono'>, title: string): string {
  const host = document.createElement('div')
  Object.assign(host.style, { position: 'fixed', left: '-9999px', top: '0', width: `${String(PRINT_SIZE.width)}px`, height: `${String(PRINT_SIZE.height)}px` })
  document.body.append(host)
  const nothing = (): void => undefined
  const chart: LineChartApi = new LineChart(host, { hover: nothing, view: nothing, pick: nothing, select: nothing, wheelHint: nothing })
  try {
    chart.setTheme({ ...PRINT, ...fonts })
    chart.setOptions({ ...options, showLabels: false })
    chart.setView(view)
    chart.setData({ ...data, lines: data.lines.map(light), bands: data.bands.map(light) })
    return chart.toSvg({ title, legend: true })
  } finally {
    chart.destroy()
    host.remove()
  }
}

function light<Drawn extends { readonly style: LineStyle }>(drawn: Drawn): Drawn {
  return { ...drawn, style: { ...drawn.style, colour: lightColour(drawn.style.colour) } }
}

/** The twin of a dark palette's colour in the light one; other colours stay. */
export function lightColour(colour: string): string {
  for (const palette of Object.values(PALETTES)) {
    const at = palette.dark.indexOf(colour)
    const twin = at < 0 ? undefined : palette.light[at]
    if (twin !== undefined) return twin
  }
  return colour
}

/** The address of this page with other parameters. */
export function linkWith(address: string, parameters: Readonly<Record<string, string>>): string {
  const url = new URL(address)
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value)
  return url.href
}
