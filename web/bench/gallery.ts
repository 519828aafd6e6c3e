// Every kind of line chart on one page, to be looked at: `npx vite`, then /bench/gallery.html; `?dark` for the other theme, `?files` for exports.
import { LineChart } from '../src/charts/line/chart'
import type { Band, ChartData, ChartOptions, Line, Mark } from '../src/charts/line/types'
import { pngOf } from '../src/lib/png'
import { COLOURS, lineOf, loss, random, type Wave } from '../src/charts/line/waves'

const OPTIONS: ChartOptions = {
  xKind: 'step',
  xScale: 'linear',
  yScale: 'linear',
  ignoreOutliers: true,
  yRange: null,
  partition: true,
  showEnvelope: true,
  showRaw: true,
  showBest: true,
}

if (location.search.includes('dark')) document.documentElement.dataset.theme = 'dark'
const css = getComputedStyle(document.documentElement)
const token = (name: string) => css.getPropertyValue(name).trim()
const theme = {
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
}
const colour = (i: number) => token(`--run-${String((i % 12) + 1)}`) || (COLOURS[i % 12] as string)

function show(title: string, data: Partial<ChartData>, options: Partial<ChartOptions> = {}, isWide = false): LineChart {
  const figure = document.createElement('figure')
  if (isWide) figure.className = 'wide'
  const caption = document.createElement('figcaption')
  caption.textContent = title
  const host = document.createElement('div')
  host.className = 'chart'
  host.id = title.replaceAll(/\W+/g, '-')
  figure.append(caption, host)
  document.querySelector('main')?.append(figure)
  const chart = new LineChart(host, {
    hover: (hover) => {
      for (const other of charts) if (other !== chart) other.setCursor(hover?.x ?? null)
    },
    view: () => undefined,
    pick: (x) => {
      chart.setSelected({ from: x, to: null })
    },
    select: () => undefined,
    wheelHint: () => undefined,
  })
  chart.setTheme(theme)
  chart.setOptions({ ...OPTIONS, ...options })
  chart.setData({ lines: [], bands: [], marks: [], ...data })
  charts.push(chart)
  return chart
}

const charts: LineChart[] = []

/** The wave with something put in place of each value. */
function changed(wave: Wave, change: (value: number, i: number) => number): Wave {
  return { x: wave.x, y: wave.y.map(change), smoothed: wave.smoothed.map(change) }
}

function columnsOf(key: string, seed: number, style: Line['style']): Line {
  const wave = loss(seed, 30_000)
  const columns = 300
  const make = () => new Float32Array(columns)
  const raw = { first: make(), min: make(), max: make(), last: make() }
  const smoothed = { first: make(), min: make(), max: make(), last: make() }
  const [xFirst, xLast] = [make(), make()]
  for (let c = 0; c < columns; c++) {
    const [from, to] = [c * 100, c * 100 + 99]
    xFirst[c] = wave.x[from] as number
    xLast[c] = wave.x[to] as number
    for (const [target, values] of [
      [raw, wave.y],
      [smoothed, wave.smoothed],
    ] as const) {
      const part = values.subarray(from, to + 1)
      target.first[c] = part[0] as number
      target.last[c] = part[99] as number
      target.min[c] = Math.min(...part)
      target.max[c] = Math.max(...part)
    }
  }
  return {
    key,
    label: key,
    before: null,
    after: null,
    isGrowing: true,
    style,
    data: { kind: 'columns', xFirst, xLast, raw, smoothed, count: make().fill(100), flags: make() },
  }
}

const lead = (i: number) => ({ colour: colour(i), dash: 'solid', role: 'lead' }) as const
const grey = { colour: '#888888', dash: 'solid', role: 'context' } as const
const runs = Array.from({ length: 16 }, (_, i) => lineOf(`run-${String(i)}`, loss(i, 500), i < 8 ? lead(i) : grey))

show('runs, raw and smoothed', { lines: runs.map((line, i) => ({ ...line, isGrowing: i === 2 })) })
const broken = changed(loss(3, 400), (value, i) =>
  i > 150 && i < 190 ? NaN : i === 300 || i === 350 ? Infinity : i === 250 ? -Infinity : value,
)
const dying = changed(loss(1, 400), (value, i) => (i > 160 ? NaN : i > 120 ? value * 1.06 ** (i - 120) : value))
const best: Mark = { kind: 'best', x: 40_000, y: 0.3, key: 'broken', label: 'best' }
show('not finite', {
  lines: [lineOf('dying', dying, lead(1)), lineOf('broken', broken, lead(2)), lineOf('fine', loss(5, 400), lead(4))],
  marks: [best],
})
show('log y', { lines: runs.slice(0, 6) }, { yScale: 'log' })
show('pixel columns', { lines: [columnsOf('a', 1, lead(0)), columnsOf('b', 4, lead(1))] })
show('single points', {
  lines: [
    lineOf('few', loss(2, 14), lead(0)),
    lineOf('one', { x: Float64Array.of(20_000), y: Float32Array.of(2), smoothed: Float32Array.of(2) }, lead(1)),
    lineOf('dashed', loss(7, 14), { ...lead(2), dash: 'dashed' }),
  ],
})
const gap: Mark = { kind: 'gap', x: 20_000, to: 26_000, key: 'torn', label: 'damaged record, 20,000 to 26,000' }
const torn = loss(6, 300)
const keep = (i: number) => !((torn.x[i] as number) > 20_000 && (torn.x[i] as number) < 26_000)
const tornWave = {
  x: torn.x.filter((_, i) => keep(i)),
  y: torn.y.filter((_, i) => keep(i)),
  smoothed: torn.smoothed.filter((_, i) => keep(i)),
}
show('gap, restart, note', {
  lines: [lineOf('torn', tornWave, lead(0))],
  marks: [
    gap,
    { kind: 'restart', x: 10_000, label: 'restarted at 10,000' },
    { kind: 'note', x: 35_000, label: 'learning rate halved' },
  ],
})
const signed = random(9)
const swings: Wave = {
  x: torn.x,
  y: torn.y.map((_, i) => (signed() - 0.5) * 10 ** (4 * Math.sin(i / 30))),
  smoothed: torn.y,
}
show('symlog y', { lines: [lineOf('swings', swings, lead(3), false)] }, { yScale: 'symlog', ignoreOutliers: false })
show('log x', { lines: runs.slice(0, 4) }, { xScale: 'log' })
const day = loss(8, 300, 200_000)
show('dates', { lines: [lineOf('d', { ...day, x: day.x.map((x) => x + 1_790_000_000) }, lead(5))] }, { xKind: 'date' })
show('durations', { lines: [lineOf('d', loss(8, 300, 9000), lead(5))] }, { xKind: 'duration' })
const tiny = changed(loss(5, 300), (value) => value * 1e-6)
show('small values', { lines: [lineOf('tiny', tiny, lead(6))] })
show('500 lines', {
  lines: Array.from({ length: 500 }, (_, i) => lineOf(`r${String(i)}`, loss(i, 300), i < 3 ? lead(i) : grey)),
})
const jumps = loss(2, 200)
show('going back', {
  lines: [lineOf('back', { ...jumps, x: jumps.x.map((x, i) => (i > 120 ? x - 12_000 : x)) }, lead(7))],
})

const centre = [0, 1, 2].map((i) => loss(20 + i, 100))
const bands: Band[] = centre.map((wave, i) => ({
  key: `band-${String(i)}`,
  label: ['adamw-1e-3', 'lion-1e-4', 'sgd-3e-2'][i] as string,
  x: wave.x,
  centre: wave.smoothed,
  low: wave.smoothed.map((v) => v * 0.85),
  high: wave.smoothed.map((v) => v * 1.15),
  style: lead(i),
}))
const members = centre.flatMap((wave, i) =>
  [0, 1, 2, 3].map((k) =>
    lineOf(
      `m${String(i)}${String(k)}`,
      changed(wave, (v, j) => v * (1 + 0.1 * Math.sin(j / 5 + k))),
      { colour: colour(i), role: 'member' },
    ),
  ),
)
const full = show('bands, labels, selected range', { lines: members, bands }, { showLabels: true }, true)
full.setSelected({ from: 20_000, to: 30_000 })

if (location.search.includes('files')) {
  const picture = (blob: Blob) => {
    const image = document.createElement('img')
    image.src = URL.createObjectURL(blob)
    document.querySelector('main')?.append(image)
  }
  for (const chart of charts.slice(0, 2)) {
    picture(new Blob([chart.toSvg({ title: 'train/loss', legend: true })], { type: 'image/svg+xml' }))
    picture(pngOf(chart.toCanvas({ title: 'train/loss', legend: true, scale: 2 })))
  }
}
