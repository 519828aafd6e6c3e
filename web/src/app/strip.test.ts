// How far runs reach on every axis, and the rows and hills made of it.
import { describe, expect, test } from 'vitest'
import type { Run } from '../api/types'
import type { Summary } from '../state/summaries.svelte'
import { axisOf, density, reach, rounded, ticks, type Row } from './strip'

const RUN = { name: 'a', start_time: 1_000, end_time: 1_500 } as Run
const SUMMARY: Summary = {
  count: 10,
  firstStep: 10,
  lastStep: 110,
  lastTime: 1_500,
  firstTime: 1_000,
  last: 0.2,
  finiteLast: 0.2,
  nanCount: 0,
  min: 0.1,
  minStep: 90,
  max: 2,
  maxStep: 10,
  firstNan: null,
}

function row(from: number, to: number): Row {
  return { run: 'r', from, to, colour: '#000000', isLead: false, isPinned: false, isWriting: false, nanAt: null }
}

describe('a run reaches', () => {
  test('over its steps, those of all its tags', () => {
    const other = { ...SUMMARY, firstStep: 0, lastStep: 60, firstNan: 40 }
    expect(reach('step', RUN, [SUMMARY, other])).toEqual({ from: 0, to: 110, nanAt: 40 })
  })

  test('over its time, from nothing or from its start', () => {
    const broken = { ...SUMMARY, firstNan: 60 }
    expect(reach('relative_time', RUN, [broken])).toEqual({ from: 0, to: 500, nanAt: 250 })
    expect(reach('wall_time', RUN, [])).toEqual({ from: 1_000, to: 1_500, nanAt: null })
  })

  test('over the values of a tag', () => {
    expect(reach({ tag: 'epoch' }, RUN, [SUMMARY])).toEqual({ from: 0.1, to: 2, nanAt: null })
  })

  test('nowhere while nothing is known', () => {
    expect(reach('step', RUN, [])).toBeNull()
    expect(reach({ tag: 'epoch' }, RUN, [])).toBeNull()
    expect(reach('wall_time', { ...RUN, end_time: null }, [SUMMARY])).toBeNull()
  })
})

test('the axis is as long as the longest run, also where a logarithm has no zero', () => {
  expect(axisOf([row(0, 100), row(50, 400)], 'linear', 800).domain).toEqual([0, 400])
  const log = axisOf([row(0, 10_000)], 'log', 800)
  expect(log.domain[0]).toBeGreaterThan(0)
  expect(log.at(10_000)).toBeCloseTo(800)
  expect(ticks(log, 'step').map(({ text }) => text)).toContain('1,000')
})

test('many runs are a hill', () => {
  const axis = axisOf([row(0, 9)], 'linear', 9)
  expect([...density([row(0, 9), row(3, 5), row(3, 3)], axis)]).toEqual([1, 1, 1, 3, 2, 2, 1, 1, 1])
})

test.each<[readonly [number, number], 'step' | 'value', readonly [number, number]]>([
  [[10.2, 300.7], 'step', [10, 301]],
  [[0.123456, 0.9], 'value', [0.1235, 0.9]],
  [[1_700_000_000.123456, 1_700_003_600.9], 'value', [1_700_000_000, 1_700_003_601]],
])('a window is written briefly: %j', (window, kind, expected) => {
  expect(rounded(window, kind)).toEqual(expected)
})
