// Smoothing, from its text and back.
import { expect, test } from 'vitest'
import { formatSmoothing, parseSmoothing } from './smoothing'

test.each([
  ['ema:0.6', 'ema', 0.6],
  ['ema:7', 'ema', 0.999],
  ['median:21', 'median', 21],
  ['none', 'none', 0],
  ['ema:', 'none', 0],
  ['toString:1', 'none', 0],
  ['ema:x', 'none', 0],
])('%s is read', (text, method, amount) => {
  expect(parseSmoothing(text)).toEqual({ method, amount })
})

test.each([
  ['ema', 0.6, 'ema:0.6'],
  ['ema', 0, 'none'],
  ['mean', 1, 'none'],
  ['gaussian', 2.5, 'gaussian:2.5'],
  ['none', 3, 'none'],
] as const)('%s by %d is written', (method, amount, text) => {
  expect(formatSmoothing({ method, amount })).toBe(text)
})
