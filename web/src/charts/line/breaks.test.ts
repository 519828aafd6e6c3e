// Runs that break are seen, in whatever colour they are drawn and whatever part of them is shown.
import { expect, test } from 'vitest'
import type { Range } from '../../lib/numbers'
import { curvesOf } from './curves'
import { layOut } from '../plot/layout'
import { domainsOf } from './domains'
import { paint } from './paint'
import { SvgInk } from '../plot/svg'
import type { ChartOptions, ChartTheme, Line, LineStyle } from './types'
import { lineOf } from './waves'

const THEME: ChartTheme = {
  surface: '#ffffff',
  ink: '#1b1d1f',
  ink3: '#63676b',
  grid: '#eaeae5',
  zero: '#c9c9c1',
  bulk: '#bcbcb5',
  veil: 'none',
  bad: '#a8232f',
  sans: 'sans-serif',
  mono: 'monospace',
}
const OPTIONS: ChartOptions = {
  xKind: 'step',
  xScale: 'linear',
  yScale: 'linear',
  ignoreOutliers: true,
  better: 'lower',
  yRange: null,
  partition: true,
  showEnvelope: true,
  showRaw: true,
  showBest: true,
}
const BLUE = '#2382fb'

function line(key: string, values: readonly number[], role: LineStyle['role']): Line {
  const y = Float32Array.from(values)
  return lineOf(key, { x: Float64Array.from(values, (_, i) => i), y, smoothed: y }, { role, colour: BLUE }, false)
}

/** The same as columns of one point each. */
function columns(one: Line): Line {
  if (one.data.kind !== 'points') return one
  const { x, y } = one.data
  const finite = Float32Array.from(y, (value) => (Number.isFinite(value) ? value : NaN))
  const raw = { first: finite, min: finite, max: finite, last: finite }
  const flags = Uint8Array.from(y, (value) =>
    Number.isNaN(value) ? 1 : value === Infinity ? 2 : value === -Infinity ? 4 : 0,
  )
  return {
    ...one,
    data: { kind: 'columns', xFirst: x, xLast: x, raw, smoothed: null, count: new Uint8Array(y.length).fill(1), flags },
  }
}

function drawn(lines: readonly Line[], view: { x: Range | null; y: Range | null } = { x: null, y: null }): string {
  const curves = curvesOf({ lines, bands: [], marks: [] }, true)
  const layout = layOut(456, 228, domainsOf(curves, [], OPTIONS, view), OPTIONS, () => 20)
  const ink = new SvgInk(THEME)
  paint(ink, { layout, curves, bands: [], marks: [], options: OPTIONS, theme: THEME })
  return ink.document(456, 228, '')
}

/** Steps at which triangles of a colour point to. */
function triangles(svg: string, kind: 'stroke' | 'fill', colour: string, span = 100): number[] {
  const paths = [...svg.matchAll(/<path d="([^"]*Z)"[^>]*>/g)].filter(([whole]) =>
    whole.includes(`${kind}="${colour}"`),
  )
  const tips = paths.flatMap(([, d]) => [...(d ?? '').matchAll(/L([\d.]+) [\d.]+Z/g)].map(([, x]) => Number(x)))
  return tips.map((x) => Math.round(((x - 46) / 400) * span))
}

const FALLING = Array.from({ length: 101 }, (_, i) => 2 - i / 100)
const broken = (from: number, value: number): number[] => FALLING.map((one, i) => (i >= from ? value : one))

test.each(['lead', 'context', 'member'] as const)('NaN is marked on a %s line', (role) => {
  const colour = role === 'context' ? THEME.bad : BLUE
  const run = line('nan', broken(70, NaN), role)
  expect(triangles(drawn([line('a', FALLING, 'lead'), run]), 'stroke', colour)).toEqual([69])
  expect(triangles(drawn([line('a', FALLING, 'lead'), columns(run)]), 'stroke', colour)).toEqual([69])
})

test('infinities are marked on grey lines at the edges', () => {
  const values = FALLING.map((one, i) => (i === 30 ? Infinity : i === 60 ? -Infinity : one))
  for (const run of [line('inf', values, 'context'), columns(line('inf', values, 'context'))])
    expect(triangles(drawn([line('a', FALLING, 'lead'), run]), 'fill', THEME.bad)).toEqual([30, 60])
})

test('a run of nothing but NaN is marked where it begins and ends, without made-up figures', () => {
  const svg = drawn([line('nan', broken(0, NaN), 'lead')])
  expect(triangles(svg, 'stroke', BLUE)).toEqual([0, 100])
  const texts = [...svg.matchAll(/text-anchor="end">([^<]*)</g)].map(([, text]) => text)
  expect(texts.every((text) => text === '')).toBe(true)
})

test('NaN is marked also when only its stretch is shown', () => {
  const run = line('nan', broken(40, NaN), 'context')
  const svg = drawn([line('a', FALLING, 'lead'), run], { x: [60, 80], y: null })
  expect(triangles(svg, 'stroke', THEME.bad, 20).map((step) => step + 60)).toEqual([60, 80])
})

test('marks of grey lines in the same place are drawn once', () => {
  const runs = Array.from({ length: 50 }, (_, n) => line(`nan${String(n)}`, broken(70, NaN), 'context'))
  expect(triangles(drawn(runs), 'stroke', THEME.bad)).toHaveLength(1)
})

test('a run that explodes is marked where it leaves the plot, and along the edge', () => {
  const exploding = FALLING.map((one, i) => (i > 80 ? one * 2 ** (i - 80) : one))
  const runs = [
    ...Array.from({ length: 6 }, (_, n) => line(String(n), FALLING, 'lead')),
    line('b', exploding, 'context'),
  ]
  const svg = drawn(runs)
  const chevrons = [...svg.matchAll(new RegExp(`<path d="(M[^"]*)"[^>]*stroke="${THEME.bad}" stroke-width="1.5"`, 'g'))]
  expect(chevrons).toHaveLength(1)
  const tip = Number(/L([\d.]+)/.exec(chevrons[0]?.[1] ?? '')?.[1])
  expect((tip - 46) / 4).toBeGreaterThan(80)
  expect((tip - 46) / 4).toBeLessThan(85)
  expect(svg).toMatch(new RegExp(`stroke="${THEME.bulk}" stroke-width="2"`))
  // Zoomed in y on purpose, there is nothing to say.
  const zoomed = drawn(runs, { x: null, y: [1, 1.5] })
  expect(zoomed).not.toMatch(/stroke-width="2"/)
})

test('a line that is still written and ends in NaN shows its break, and no dot that says it is well', () => {
  const growing = (values: readonly number[]): Line => ({ ...line('a', values, 'lead'), isGrowing: true })
  const atRest = (values: readonly number[]): Line => line('a', values, 'lead')
  expect(drawn([growing([3, 2, 1])])).not.toBe(drawn([atRest([3, 2, 1])]))
  expect(drawn([growing([3, 2, NaN])])).toBe(drawn([atRest([3, 2, NaN])]))
  expect(drawn([growing([3, NaN, 1])])).not.toBe(drawn([atRest([3, NaN, 1])]))
})
