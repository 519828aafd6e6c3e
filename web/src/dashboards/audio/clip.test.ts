// A clip in words.
import { expect, test } from 'vitest'
import { facts } from './clip'

const CLIP = { items: 1, seconds: 1, encoding: 'WAV, 16 bit', note: null, columns: 0, peak: 1, min: [], max: [] }

test.each([
  [{ sampleRate: 22_050, channels: 1, loudness: -18.24 }, '22.05 kHz, mono, \u221218.2 LUFS'],
  [{ sampleRate: 44_100, channels: 2, loudness: null }, '44.1 kHz, stereo, silent'],
  [{ sampleRate: 8000, channels: 6, loudness: -3 }, '8 kHz, 6 channels, \u22123.0 LUFS'],
])('%j', (clip, words) => {
  expect(facts({ ...CLIP, ...clip })).toBe(words)
})
