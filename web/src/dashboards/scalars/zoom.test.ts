// Zooming cards alone and together, scales, and fixed ranges of y.
import { expect, test } from 'vitest'
import { yScaleOf, zoomOf } from '../../state/facts/charts'
import { View } from '../../state/view.svelte'
import { scalarFacts } from './facts'
import { fits, fixedRange, fixRange, setScale, shownView, zoomCard } from './zoom'

test('a card zooms alone', () => {
  const view = new View([scalarFacts])
  zoomCard(view, 'a', { x: [1, 2], y: [3, 4] })
  expect(shownView(view.values, zoomOf(view.values, 'a'))).toEqual({ x: [1, 2], y: [3, 4] })
  expect(shownView(view.values, zoomOf(view.values, 'b'))).toEqual({ x: null, y: null })
})

test('linked cards share x and keep their own y', () => {
  const view = new View([scalarFacts])
  view.set('isLinked', true)
  zoomCard(view, 'a', { x: [1, 2], y: [3, 4] })
  expect(shownView(view.values, zoomOf(view.values, 'b'))).toEqual({ x: [1, 2], y: null })
  zoomCard(view, 'b', { x: null, y: null })
  expect(shownView(view.values, zoomOf(view.values, 'a'))).toEqual({ x: null, y: [3, 4] })
})

test('the window of the board holds for cards without a zoom, until one asks for everything', () => {
  const view = new View([scalarFacts])
  view.set('window', [10, 20])
  zoomCard(view, 'a', { x: [12, 13], y: null })
  expect(shownView(view.values, zoomOf(view.values, 'a')).x).toEqual([12, 13])
  expect(shownView(view.values, zoomOf(view.values, 'b')).x).toEqual([10, 20])
  zoomCard(view, 'a', { x: null, y: null })
  expect(shownView(view.values, zoomOf(view.values, 'b')).x).toBeNull()
  expect(view.values.zooms).toEqual({})
})

test('a scale is remembered only where it differs', () => {
  const view = new View([scalarFacts])
  setScale(view, 'a', 'log')
  expect([yScaleOf(view.values, 'a'), yScaleOf(view.values, 'b')]).toEqual(['log', 'linear'])
  setScale(view, 'a', 'linear')
  expect(view.values.yScales).toEqual({})
})

test.each([
  ['train/*', 'train/loss', true],
  ['train/*', 'val/loss', false],
  ['*acc*', 'val/top5_acc', true],
  ['a.b', 'axb', false],
  ['loss', 'train/loss', false],
])('%s and %s: %s', (pattern, name, expected) => {
  expect(fits(pattern, name)).toBe(expected)
})

test('the last fixed range that fits holds, until it is let go', () => {
  const view = new View([scalarFacts])
  fixRange(view, '*acc', [0, 1])
  fixRange(view, 'val/*', [0.5, 1])
  expect(fixedRange(view.facts(scalarFacts).values.yRanges, ['val/acc'])?.range).toEqual([0.5, 1])
  fixRange(view, 'val/*', null)
  expect(fixedRange(view.facts(scalarFacts).values.yRanges, ['val/acc'])?.range).toEqual([0, 1])
})

test.each(['constructor', 'toString', '__proto__'])('a tag may be called %s', (tag) => {
  const view = new View([scalarFacts])
  expect([zoomOf(view.values, tag), yScaleOf(view.values, tag)]).toEqual([null, 'linear'])
  zoomCard(view, tag, { x: [1, 2], y: null })
  setScale(view, tag, 'log')
  expect([zoomOf(view.values, tag), yScaleOf(view.values, tag)]).toEqual([{ x: [1, 2], y: null }, 'log'])
})
