// How single pictures are put into one.
import { expect, test } from 'vitest'
import { legendHeight, legendOf } from '../charts/plot/sheet'
import { composeSvg, layout } from './view_picture'

const PAPER = { surface: '#fcfcfa', ink: '#1b1d1f', sans: 'sans-serif', mono: 'monospace' }
const BOXES = [
  { left: 100, top: 50, width: 200, height: 80 },
  { left: 320, top: 50, width: 200, height: 80 },
  { left: 100, top: 150, width: 200, height: 80 },
]

test('cards keep their places to each other, with a margin around all', () => {
  const { width, height, places } = layout(BOXES)
  expect([width, height]).toEqual([452, 212])
  expect(places.map(({ left, top }) => [left, top])).toEqual([
    [16, 16],
    [236, 16],
    [16, 116],
  ])
})

test('every picture is placed, without what is allowed only at the head of a file', () => {
  const svg = composeSvg(
    ['<?xml version="1.0"?>\n<svg id="a"/>', '<svg id="b"/>', '<svg id="c"/>'],
    layout(BOXES),
    PAPER,
  )
  expect(svg).not.toContain('<?xml')
  expect(svg).toMatch(/<svg x="236" y="16" width="200" height="80"><svg id="b"\/><\/svg>/)
})

test('what one picture cuts off by is not what another does', () => {
  const cut = '<svg><clipPath id="clip-1"/><g clip-path="url(#clip-1)"/></svg>'
  const svg = composeSvg([cut, cut], layout(BOXES), PAPER)
  expect(svg.match(/(?<=id="|#)[\w-]*clip-1/g)).toEqual([
    'card-1-clip-1',
    'card-1-clip-1',
    'card-2-clip-1',
    'card-2-clip-1',
  ])
})

test('the legend is below all cards, and the picture has room for it', () => {
  const legend = legendOf(
    [{ label: 'a < b', style: { colour: '#2382fb', dash: 'dashed' } }],
    452,
    (text) => text.length,
  )
  const svg = composeSvg(['<svg/>', '<svg/>', '<svg/>'], layout(BOXES), PAPER, legend)
  const height = Number(/height="(\d+)" viewBox/.exec(svg)?.[1])
  expect(height).toBe(212 + legendHeight(legend))
  const [, top = ''] = /<text [^>]*y="([\d.]+)"[^>]*>a &lt; b<\/text>/.exec(svg) ?? []
  expect(Number(top)).toBeGreaterThan(212 - 16)
  expect(Number(top)).toBeLessThan(height)
  expect(svg).toMatch(/stroke="#2382fb"[^>]*stroke-dasharray/)
})

test('boxes as the browser gives them have no fields of their own', () => {
  const box = Object.create({ left: 5, top: 5, width: 100, height: 50 }) as (typeof BOXES)[number]
  expect(layout([box])).toEqual({ width: 132, height: 82, places: [{ left: 16, top: 16, width: 100, height: 50 }] })
})
