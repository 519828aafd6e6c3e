// The pen's line on an idle drum: muscle twitches, then rest, as an SVG path.

export interface Twitch {
  /** Where the pen leaves the baseline. */
  at: number
  /** How far it rises. */
  height: number
}

/** Time from leaving the baseline to the peak, in the same units as the width. */
const RISE = 9

/** Height of a unit twitch `t` after its start: 0 before, 1 at the peak, falling back to 0. */
export function twitchHeight(t: number): number {
  if (t <= 0) return 0
  return (t / RISE) ** 1.6 * Math.exp(1.6 * (1 - t / RISE))
}

/** Path of a pen that starts at `(0, baseline)` and draws the sum of `twitches` until `width`. */
export function twitchPath(twitches: readonly Twitch[], width: number, baseline: number): string {
  const points: string[] = []
  for (let x = 0; x <= width; x++) {
    const rise = twitches.reduce((sum, twitch) => sum + twitch.height * twitchHeight(x - twitch.at), 0)
    points.push(`${String(x)} ${(baseline - rise).toFixed(2)}`)
  }
  return `M${points.join('L')}`
}
