// One clock for all videos of the dashboard: they are played, stopped and stepped together.
import { SvelteMap } from 'svelte/reactivity'

/** What the clock needs to know of a video. */
export interface Reel {
  readonly title: string
  readonly colour: string
  /** 0 while it is not known. */
  readonly seconds: number
  readonly frames: number
  frameAt(seconds: number): number
  /** When a frame begins. */
  startOf(frame: number): number
}

export const SPEEDS = [0.25, 0.5, 1, 2, 4] as const

// A sum of delays may be a little less than the moment at which a frame begins.
const INSIDE = 1e-6

export class Clock {
  /** In the order in which they were added. */
  readonly reels = new SvelteMap<string, Reel>()
  /** In seconds since the beginning of each video. */
  time = $state(0)
  isPlaying = $state(false)
  speed = $state(1)
  isLooping = $state(true)
  /** The video that frames are counted in: the one pointed at last. */
  chosen = $state<string | null>(null)

  /** The length of the longest video. */
  readonly seconds = $derived.by(() => {
    let longest = 0
    for (const reel of this.reels.values()) longest = Math.max(longest, reel.seconds)
    return longest
  })

  /** The video that was pointed at last, or the first; null while there is none. */
  readonly current = $derived.by<readonly [id: string, reel: Reel] | null>(() => {
    const chosen = this.chosen === null ? undefined : this.reels.get(this.chosen)
    if (this.chosen !== null && chosen !== undefined) return [this.chosen, chosen]
    for (const entry of this.reels) return entry
    return null
  })

  /** The video is there until the returned function is called. */
  add(id: string, reel: Reel): () => void {
    this.reels.set(id, reel)
    return () => {
      if (this.reels.get(id) !== reel) return
      this.reels.delete(id)
      if (this.reels.size === 0) this.isPlaying = false
    }
  }

  toggle(): void {
    if (!this.isPlaying && this.time >= this.seconds) this.time = 0
    this.isPlaying = !this.isPlaying && this.seconds > 0
  }

  seek(seconds: number): void {
    this.time = Math.min(this.seconds, Math.max(0, seconds))
  }

  /** So many frames of the current video on, or back; stops. */
  step(frames: number): void {
    this.isPlaying = false
    if (this.current === null) return
    const [, reel] = this.current
    const at = Math.min(Math.max(0, reel.frames - 1), Math.max(0, reel.frameAt(this.time) + frames))
    this.time = reel.startOf(at) + INSIDE
  }

  toStart(): void {
    this.time = 0
  }

  /** To the last frame of the longest video; stops. */
  toEnd(): void {
    this.isPlaying = false
    this.time = this.seconds
  }

  /** Faster or slower, within the speeds that are offered. */
  shift(by: 1 | -1): void {
    const at = SPEEDS.findIndex((speed) => speed === this.speed)
    this.speed = SPEEDS[Math.min(SPEEDS.length - 1, Math.max(0, at + by))] ?? 1
  }

  /** Time passes. */
  tick(seconds: number): void {
    if (!this.isPlaying) return
    const next = this.time + seconds * this.speed
    if (next < this.seconds) this.time = next
    else if (this.isLooping && this.seconds > 0) this.time = next % this.seconds
    else this.toEnd()
  }
}
