// Checks conversions between colour spaces, ramps and contrast.
import { expect, test } from 'vitest'
import { contrast, fromOklch, mix, parseHex, ramp, toHex, toOklch } from './colour'
import { present } from './present'

test.each(['#000000', '#ffffff', '#2382fb', '#f6d64f', '#123456'])('%s survives the way to OKLCH and back', (hex) => {
  expect(toHex(fromOklch(toOklch(present(parseHex(hex)))))).toBe(hex)
})

test.each(['', 'red', '#fff', '#12345g', '123456', '#1234567'])('%j is no colour', (text) => {
  expect(parseHex(text)).toBeNull()
})

// Reference values of CSS Color 4: `lab(…)` of pure red in Oklab terms.
test('red is where the definition has it', () => {
  const [lightness, chroma, hue] = toOklch([255, 0, 0])
  expect(lightness).toBeCloseTo(0.62796, 4)
  expect(chroma).toBeCloseTo(0.25768, 4)
  expect(hue).toBeCloseTo(29.234, 2)
})

test('a colour that no screen has loses chroma, neither lightness nor hue', () => {
  const wanted = [0.6, 0.4, 150] as const
  const [lightness, chroma, hue] = toOklch(fromOklch(wanted))
  expect(lightness).toBeCloseTo(0.6, 1)
  expect(hue).toBeCloseTo(150, 0)
  expect(chroma).toBeLessThan(0.4)
})

test('a ramp begins and ends with its stops and is in between elsewhere', () => {
  const stops = ['#000000', '#ff0000', '#ffffff']
  expect(ramp(stops, 0)).toBe('#000000')
  expect(ramp(stops, 0.5)).toBe('#ff0000')
  expect(ramp(stops, 1)).toBe('#ffffff')
  expect(ramp(stops, -3)).toBe('#000000')
  expect(ramp(stops, 7)).toBe('#ffffff')
  expect(ramp(stops, 0.75)).toBe(mix('#ff0000', '#ffffff', 0.5))
})

test('black on white has the maximum contrast', () => {
  expect(contrast('#000000', '#ffffff')).toBeCloseTo(21)
  expect(contrast('#777777', '#777777')).toBe(1)
})
