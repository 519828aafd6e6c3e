// Draws, redraws and moves the cursor of charts, ours or uPlot's, on request of the page that holds them.
import uPlot from 'uplot'
import 'uplot/dist/uPlot.min.css'
import { LineChart } from '../src/charts/line/chart'
import type { ChartOptions } from '../src/charts/line/types'
import { COLOURS, lineOf, loss, type Wave } from '../src/charts/line/waves'

interface Case {
  readonly charts: number
  readonly lines: number
  readonly points: number
  readonly width: number
  readonly height: number
}

const CASES: Readonly<Record<string, Case>> = {
  A: { charts: 1, lines: 50, points: 1000, width: 1200, height: 600 },
  B: { charts: 1, lines: 500, points: 1000, width: 1200, height: 600 },
  C: { charts: 24, lines: 20, points: 1000, width: 340, height: 220 },
}

const OPTIONS: ChartOptions = {
  xKind: 'step',
  xScale: 'linear',
  yScale: 'linear',
  ignoreOutliers: false,
  yRange: null,
  partition: true,
  showEnvelope: true,
  showRaw: false,
  showBest: false,
}

const asked = new URLSearchParams(location.search)
const what = CASES[asked.get('case') ?? 'A'] as Case
const css = getComputedStyle(document.documentElement)
const token = (name: string) => css.getPropertyValue(name).trim()
const hosts = Array.from({ length: what.charts }, () => {
  const host = document.createElement('div')
  host.style.width = `${String(what.width)}px`
  host.style.height = `${String(what.height)}px`
  document.querySelector('main')?.append(host)
  return host
})

/** Data of all charts, a little different each time. */
function waves(round: number): Wave[][] {
  return hosts.map((_, chart) =>
    Array.from({ length: what.lines }, (_, i) => loss(1000 * round + 50 * chart + i, what.points)),
  )
}

interface Charts {
  draw(data: Wave[][]): void
}

function ours(): Charts {
  const charts: LineChart[] = []
  for (const host of hosts) {
    const chart = new LineChart(host, {
      hover: (hover) => {
        for (const other of charts) if (other !== chart) other.setCursor(hover?.x ?? null)
      },
      view: () => undefined,
      pick: () => undefined,
      select: () => undefined,
      wheelHint: () => undefined,
    })
    chart.setTheme({
      surface: token('--surface'),
      ink: token('--ink'),
      ink3: token('--ink-3'),
      grid: token('--grid'),
      zero: token('--zero'),
      bulk: token('--bulk'),
      veil: token('--veil'),
      bad: token('--bad'),
      sans: token('--sans'),
      mono: token('--mono'),
    })
    chart.setOptions({ ...OPTIONS, showRaw: asked.has('raw') })
    charts.push(chart)
  }
  return {
    draw: (data) => {
      charts.forEach((chart, c) => {
        const lines = (data[c] ?? []).map((wave, i) =>
          lineOf(String(i), wave, { colour: COLOURS[i % 12] as string }, asked.has('raw')),
        )
        chart.setData({ lines, bands: [], marks: [] })
      })
    },
  }
}

/** All lines of a chart have the same x, as uPlot wants them. */
function theirs(): Charts {
  const plots: uPlot[] = []
  const series = Array.from({ length: what.lines }, (_, i) => ({
    stroke: COLOURS[i % 12] as string,
    width: 1 / devicePixelRatio,
  }))
  return {
    draw: (data) => {
      data.forEach((own, c) => {
        const columns: uPlot.AlignedData = [own[0]?.x ?? [], ...own.map((wave) => wave.y)]
        const plot = plots[c]
        if (plot === undefined) {
          const options = {
            width: what.width,
            height: what.height,
            legend: { show: false },
            scales: { x: { time: false } },
            series: [{}, ...series],
            cursor: { sync: { key: 'all' } },
          }
          plots[c] = new uPlot(options, columns, hosts[c])
        } else {
          plot.setData(columns)
        }
      })
    },
  }
}

const charts = asked.get('by') === 'uplot' ? theirs() : ours()
const rounds = Array.from({ length: 6 }, (_, round) => waves(round))
let round = 0

/** When nothing was drawn for three frames, everything is on the screen. */
function settle(then: () => void): void {
  let quiet = 0
  let before = -1
  const look = () => {
    const paints = hosts.reduce((sum, host) => sum + Number(host.dataset.paints ?? 0), 0)
    quiet = paints === before ? quiet + 1 : 0
    before = paints
    if (quiet >= 3) then()
    else requestAnimationFrame(look)
  }
  requestAnimationFrame(look)
}

/** A press of a key draws the next round; `data-round` says when it is on the screen. */
function next(): void {
  const data = rounds[round % rounds.length] as Wave[][]
  const start = performance.now()
  charts.draw(data)
  settle(() => {
    document.body.dataset.took = String(performance.now() - start)
    document.body.dataset.round = String(++round)
  })
}

document.addEventListener('keydown', next)
document.body.dataset.round = '0'
