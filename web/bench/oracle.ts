// Draws the same numbers on the same axes with our chart and with uPlot, and says how far apart the ink is.
import uPlot from 'uplot'
import 'uplot/dist/uPlot.min.css'
import { LineChart } from '../src/charts/line/chart'
import { lineOf, loss } from '../src/charts/line/waves'

const INK = '#d00000'
const points = Number(new URLSearchParams(location.search).get('points') ?? 500)
const wave = loss(7, points)
const [ours, theirs] = [...document.querySelectorAll<HTMLElement>('main > div')] as [HTMLElement, HTMLElement]

const chart = new LineChart(ours, {
  hover: () => undefined,
  view: () => undefined,
  pick: () => undefined,
  select: () => undefined,
  wheelHint: () => undefined,
})
chart.setOptions({
  xKind: 'step',
  xScale: 'linear',
  yScale: 'linear',
  ignoreOutliers: false,
  yRange: [0, 4],
  partition: false,
  showEnvelope: false,
  showRaw: false,
  showBest: false,
})
chart.setData({ lines: [lineOf('a', wave, { colour: INK }, false)], bands: [], marks: [] })

// The plot of ours lies at 46, 8, and leaves 10 and 20 free.
const plot = new uPlot(
  {
    width: 600,
    height: 300,
    legend: { show: false },
    padding: [8, 10, 20, 46],
    axes: [{ show: false }, { show: false }],
    scales: { x: { time: false }, y: { range: [0, 4] } },
    series: [{}, { stroke: INK, width: 1.5, points: { show: false } }],
    pxAlign: 0,
  },
  [wave.x, wave.y],
  theirs,
)

/** Where the red ink of each pixel column begins and ends, as centres of its first and last row. */
function inked(canvas: HTMLCanvasElement): [number, number][] {
  const { width, height } = canvas
  const data = canvas.getContext('2d')?.getImageData(0, 0, width, height).data ?? new Uint8ClampedArray()
  return Array.from({ length: width }, (_, x): [number, number] => {
    let [first, last] = [NaN, NaN]
    for (let y = 0; y < height; y++) {
      const at = 4 * (y * width + x)
      const isInk = (data[at + 3] as number) > 40 && (data[at] as number) - (data[at + 1] as number) > 60
      if (!isInk) continue
      if (Number.isNaN(first)) first = y
      last = y
    }
    return [first, last]
  })
}

function compare(): void {
  if (ours.dataset.state !== 'drawn') {
    requestAnimationFrame(compare)
    return
  }
  const mine = inked(ours.querySelector('canvas[data-part=lines]') as HTMLCanvasElement)
  const other = inked(plot.ctx.canvas)
  const apart: number[] = []
  mine.forEach(([first, last], x) => {
    const [otherFirst, otherLast] = other[x] ?? [NaN, NaN]
    // The line begins and ends inside a column.
    if (x > 47 && x < 589) apart.push(Math.abs(first - otherFirst), Math.abs(last - otherLast))
  })
  const missing = apart.filter(Number.isNaN).length
  const mean = apart.reduce((sum, one) => sum + one, 0) / apart.length
  // Tips of spikes fade differently, so the very largest distance says little.
  const most = apart.sort((a, b) => a - b)[Math.floor(0.95 * apart.length)]
  document.body.dataset.apart = JSON.stringify({ missing, mean, most })
}

requestAnimationFrame(compare)
