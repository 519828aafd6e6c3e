// Where frequencies and moments are on a spectrogram.
import { expect, test } from 'vitest'
import { frequencyMarks, placeOf, ramp, timeMarks } from './spectrogram'
import { clock } from './waveform'

const PICTURE = { columns: 1, rows: 4, floor: -120, levels: new Uint8Array(4), edges: [0, 500, 1000, 2000, 4000] }

test('a frequency is where its row is', () => {
  expect(placeOf(0, PICTURE)).toBe(0)
  expect(placeOf(250, PICTURE)).toBe(0.125)
  expect(placeOf(3000, PICTURE)).toBe(0.875)
  expect(placeOf(9000, PICTURE)).toBeNull()
})

test('labels of frequencies do not touch', () => {
  expect(frequencyMarks(PICTURE, 0.25).map(({ text }) => text)).toEqual(['2k', '1k', '500'])
  expect(frequencyMarks(PICTURE, 0.4).map(({ text }) => text)).toEqual(['2k', '500'].slice(0, 2))
})

test('times are labelled at round moments', () => {
  expect(timeMarks(4.5, 5)).toEqual([0, 1, 2, 3, 4])
  expect(timeMarks(600, 5)).toEqual([0, 120, 240, 360, 480])
  expect(timeMarks(0, 5)).toEqual([0])
  expect([0, 1.84, 59.999, 725].map(clock)).toEqual(['0:00.00', '0:01.84', '1:00.00', '12:05.00'])
  expect(clock(NaN)).toBe('–')
})

test('the ramp goes through the colours of the style sheet', () => {
  const style = { getPropertyValue: (name: string) => (name === '--seq-0' ? '#ffffff' : '#000000') }
  const colours = ramp(style as unknown as CSSStyleDeclaration)
  expect(colours[0]).toEqual([255, 255, 255])
  expect(colours[255]).toEqual([0, 0, 0])
  expect(colours[25]?.[0]).toBeCloseTo(255 * (1 - (25 / 255) * 5), 5)
})
