// New data may arrive at any moment: between two moves of a pointer, between press and release, between frames.
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { LineChart } from './chart'
import { fakeDom, type FakeDom } from '../plot/fake_dom'
import type { ChartData, ChartView, Hover } from './types'
import { lineOf, loss } from './waves'

let dom: FakeDom
let chart: LineChart
let hovers: (Hover | null)[]
let views: ChartView[]

/** Different arrays each time, as after an answer of the server. */
function data(points: number): ChartData {
  return { lines: [lineOf('a', loss(1, points, points - 1))], bands: [], marks: [] }
}

beforeEach(() => {
  dom = fakeDom((name, value) => vi.stubGlobal(name, value))
  hovers = []
  views = []
  chart = new LineChart(dom.host, {
    hover: (hover) => hovers.push(hover),
    view: (view) => views.push(view),
    pick: () => undefined,
    select: () => undefined,
    wheelHint: () => undefined,
  })
  chart.setData(data(100))
  settle()
})

afterEach(() => {
  chart.destroy()
  settle()
  vi.unstubAllGlobals()
})

function settle(): void {
  while (dom.frame());
}

test('a pointer that moves just after data arrived is answered', () => {
  chart.setData(data(110))
  dom.pointer('move', 200, 100)
  settle()
  expect(hovers.at(-1)?.nearest).toBe('a')
  expect(hovers).not.toContain(null)
})

test('the crosshair comes even if data arrives in every frame', () => {
  for (let frame = 0; frame < 5; frame++) {
    chart.setData(data(110 + frame))
    dom.pointer('move', 200 + frame, 100)
    chart.setData(data(120 + frame))
    dom.frame()
  }
  expect(hovers).toHaveLength(5)
  expect(hovers.every((hover) => hover?.nearest === 'a')).toBe(true)
})

test.each(['press', 'drag', 'release'])('a drag zooms although data arrived just before its %s', (moment) => {
  const arrive = (now: string): void => {
    if (now === moment) chart.setData(data(130))
  }
  arrive('press')
  dom.pointer('down', 100, 100)
  arrive('drag')
  dom.pointer('move', 200, 100)
  arrive('release')
  dom.pointer('up', 200, 100)
  settle()
  expect(views).toHaveLength(1)
  expect(views[0]?.x).not.toBeNull()
})

test('an older view that is set before the zoom was reported does not undo it', () => {
  dom.pointer('down', 100, 100)
  dom.pointer('move', 200, 100)
  dom.pointer('up', 200, 100)
  chart.setView({ x: [0, 50], y: null })
  settle()
  expect(views).toHaveLength(1)
  expect(views[0]?.x).not.toEqual([0, 50])
  expect(chart.shownX).toEqual(views[0]?.x)
  chart.setView({ x: null, y: null })
  expect(chart.shownX).toEqual([0, 99])
})
