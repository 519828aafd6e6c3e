// How single pictures are put into one.
import { expect, test } from 'vitest'
import { composeSvg, layout } from './view_picture'

const BOXES = [
  { left: 100, top: 50, width: 200, height: 80 },
  { left: 320, top: 50, width: 200, height: 80 },
  { left: 100, top: 150, width: 200, height: 80 },
]

test('cards keep their places to each other, with a margin around all', () => {
  const { width, height, places } = layout(BOXES)
  expect([width, height]).toEqual([452, 212])
  expect(places.map(({ left, top }) => [left, top])).toEqual([[16, 16], [236, 16], [16, 116]])
})

test('every picture is placed, without what may stand only at the head of a file', () => {
  const svg = composeSvg(['<?xml version="1.0"?>\n<svg id="a"/>', '<svg id="b"/>', '<svg id="c"/>'], layout(BOXES), '#fcfcfa')
  expect(svg).not.toContain('<?xml')
  expect(svg).toMatch(/<svg x="236" y="16" width="200" height="80"><svg id="b"\/><\/svg>/)
})
