// A chart as a file is whole SVG that says what the screen shows.
import { expect, test } from 'vitest'
import { COLOURS, lineOf, loss } from './waves'
import { curvesOf } from './curves'
import { layOut } from '../plot/layout'
import { domainsOf } from './domains'
import { paint } from './paint'
import { legendItems, type Picture } from './picture'
import { legendOf, paintSheet, sheetHeight, TITLE_HEIGHT } from '../plot/sheet'
import { escapeXml, SvgInk } from '../plot/svg'
import type { ChartOptions, ChartTheme, Line } from './types'

const theme: ChartTheme = {
  surface: '#fcfcfa',
  ink: '#1b1d1f',
  ink3: '#63676b',
  grid: '#eaeae5',
  zero: '#c9c9c1',
  bulk: '#bcbcb5',
  veil: 'rgb(27 29 31 / .05)',
  bad: '#a8232f',
  sans: '"Inter",sans-serif',
  mono: '"JetBrains Mono",monospace',
}
const options: ChartOptions = {
  xKind: 'step',
  xScale: 'linear',
  yScale: 'linear',
  ignoreOutliers: false,
  yRange: null,
  partition: true,
  showEnvelope: true,
  showRaw: true,
  showBest: true,
}

function sheet(lines: Line[], title: string): string {
  const ink = new SvgInk(theme)
  const width = (text: string) => ink.textWidth(text, 'sans')
  const data = { lines, bands: [], marks: [] }
  const curves = curvesOf(data, true)
  const layout = layOut(400, 240, domainsOf(curves, [], options, { x: null, y: null }), options, width, TITLE_HEIGHT)
  const picture: Picture = { ...data, layout, curves, options, theme }
  const legend = legendOf(legendItems(picture), 400, width)
  paintSheet(ink, picture, title, legend, () => {
    paint(ink, picture)
  })
  return ink.document(400, sheetHeight(layout, legend), title)
}

const lines = ['adamw', 'sgd & <lion>'].map((name, i) =>
  lineOf(name, loss(i, 50), { colour: COLOURS[i] as string, dash: i === 0 ? 'solid' : 'dashed' }),
)

test('title, ticks and legend are there, in named fonts', () => {
  const svg = sheet(lines, 'train/loss')
  const texts = [...svg.matchAll(/<text[^>]*>([^<]*)<\/text>/g)].map((match) => match[1])
  expect(texts).toContain('train/loss')
  expect(texts).toEqual(expect.arrayContaining(['0', '20k', '40k', 'adamw', 'sgd &amp; &lt;lion&gt;']))
  expect(svg).toContain('font-family="&quot;Inter&quot;,sans-serif"')
  expect(svg).toMatch(/^<svg xmlns="http:\/\/www.w3.org\/2000\/svg" width="400" height="\d+" viewBox/)
})

test('without lines no figures are made up for the axes', () => {
  const texts = [...sheet([], 'train/loss').matchAll(/<text[^>]*>([^<]*)<\/text>/g)].map((match) => match[1])
  expect(texts).toEqual(['train/loss'])
})

test('every line is a path of its colour and width, raw ones faint behind', () => {
  const svg = sheet(lines, '')
  for (const colour of COLOURS.slice(0, 2)) {
    const paths = [
      ...svg.matchAll(new RegExp(`<path d="(M[^"]*)" fill="none" stroke="${colour}" stroke-width="([\\d.]+)"`, 'g')),
    ]
    expect(paths.map((path) => path[2])).toEqual(['0.6', '1.5', '2'])
    // Fifty points, one after the other.
    expect(paths[1]?.[1]?.split('L')).toHaveLength(50)
  }
  expect(svg.match(/stroke-dasharray="6 3"/g)).toHaveLength(2)
})

test('what is opened is closed', () => {
  const svg = sheet(lines, 'a "title" <b>')
  const open: string[] = []
  for (const [, slash, name, own] of svg.matchAll(/<(\/?)(\w+)[^>]*?(\/?)>/g)) {
    if (slash === '/') expect(open.pop()).toBe(name)
    else if (own !== '/') open.push(name ?? '')
  }
  expect(open).toEqual([])
  expect(svg).not.toMatch(/NaN|undefined|Infinity/)
})

test('no text breaks out of its element', () => {
  expect(escapeXml('<script>"&\u0007\'')).toBe('&lt;script&gt;&quot;&amp; &#39;')
})

test('a chart of nothing finite is still a sheet', () => {
  const wave = loss(1, 10)
  wave.y.fill(NaN)
  wave.smoothed.fill(NaN)
  expect(sheet([lineOf('nan', wave)], 't')).not.toContain('NaN ')
})
