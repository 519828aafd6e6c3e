// A clip in words.
import type { Waveform } from '../../api/audio'

/** `22.05 kHz, stereo, −18.2 LUFS` */
export function facts({ sampleRate, channels, loudness }: Waveform): string {
  const sides = channels === 1 ? 'mono' : channels === 2 ? 'stereo' : `${String(channels)} channels`
  const rate = `${String(Number((sampleRate / 1000).toFixed(2)))} kHz`
  return `${rate}, ${sides}, ${loudness === null ? 'silent' : `${loudness.toFixed(1).replace('-', '\u2212')} LUFS`}`
}
