// One player for all clips of the dashboard: one position, one clip at a time, so that any two can be compared at the same moment.
import { SvelteMap } from 'svelte/reactivity'

/** The part of an audio element that is needed here. */
export interface Sound {
  currentTime: number
  volume: number
  readonly paused: boolean
  play(): Promise<void>
  pause(): void
}

export interface Track {
  readonly sound: Sound
  /** NaN while it is not known. */
  readonly seconds: number
  /** In LUFS; null for silence, or while it is not known. */
  readonly loudness: number | null
}

/** From and to, in seconds. */
export type Region = readonly [from: number, to: number]

// A clip of near silence must not turn all others off.
const MOST_DECIBELS = 24
// Shorter loops are a click that missed.
const SHORTEST_LOOP = 0.02

export class Player {
  /** In the order in which they were added. */
  readonly tracks = new SvelteMap<string, Track>()
  /** In seconds, of all clips. */
  position = $state(0)
  playing = $state<string | null>(null)
  /** What plays next: the clip that was played or pointed at last. */
  current = $state<string | null>(null)
  /** What is repeated: a part, or everything while it is null. */
  region = $state.raw<Region | null>(null)
  isLooping = $state(false)
  /** Whether louder clips are turned down to the quietest. */
  isEqual = $state(true)
  /** The clip before the current one: what A/B goes back to. */
  #other: string | null = null

  /** The clip may be played until the returned function is called. */
  add(id: string, track: Track): () => void {
    this.tracks.set(id, track)
    this.applyGain()
    return () => {
      if (this.tracks.get(id) !== track) return
      track.sound.pause()
      this.tracks.delete(id)
      if (this.playing === id) this.playing = null
      if (this.current === id) this.current = null
      this.applyGain()
    }
  }

  /** By how much a clip is turned down, in decibels; 0 or less. */
  gain(id: string): number {
    const own = this.tracks.get(id)?.loudness ?? null
    if (!this.isEqual || own === null) return 0
    let quietest = own
    for (const { loudness } of this.tracks.values()) if (loudness !== null) quietest = Math.min(quietest, loudness)
    return Math.max(-MOST_DECIBELS, quietest - own)
  }

  setEqual(isEqual: boolean): void {
    this.isEqual = isEqual
    this.applyGain()
  }

  /** Plays a clip from the common position on; the one that plays stops. */
  play(id: string): void {
    const track = this.tracks.get(id)
    if (track === undefined) return
    if (this.playing !== null && this.playing !== id) this.tracks.get(this.playing)?.sound.pause()
    if (this.current !== id) this.#other = this.current
    this.current = id
    const isPast = this.position >= track.seconds
    const start = this.isLooping && this.region !== null ? this.region[0] : 0
    const isOutside = this.isLooping && this.region !== null && !isWithin(this.region, this.position)
    if (isPast || isOutside) this.position = start
    track.sound.currentTime = this.position
    this.applyGain()
    this.playing = id
    track.sound.play().catch(() => {
      if (this.playing === id) this.playing = null
    })
  }

  pause(): void {
    if (this.playing !== null) this.tracks.get(this.playing)?.sound.pause()
    this.playing = null
  }

  /** Plays or pauses this clip, or the current one, or the first. */
  toggle(id: string | null = null): void {
    const wanted = id ?? this.current ?? this.#first()
    if (this.playing !== null && (id === null || this.playing === id)) this.pause()
    else if (wanted !== null) this.play(wanted)
  }

  /** To the clip that was heard before this one, or the next: at the same moment. */
  switch(): void {
    const ids = [...this.tracks.keys()]
    const at = this.current === null ? -1 : ids.indexOf(this.current)
    const known = this.#other !== null && this.tracks.has(this.#other) ? this.#other : null
    const next = known ?? ids[(at + 1) % ids.length]
    if (next !== undefined) this.play(next)
  }

  seek(seconds: number): void {
    this.position = Math.max(0, seconds)
    if (this.playing === null) return
    const track = this.tracks.get(this.playing)
    if (track !== undefined) track.sound.currentTime = Math.min(this.position, track.seconds || Infinity)
  }

  /** Repeats this part; too short a part is none. */
  setRegion(from: number, to: number): void {
    const [start, end] = [Math.max(0, Math.min(from, to)), Math.max(from, to)]
    this.region = end - start < SHORTEST_LOOP ? null : [start, end]
    if (this.region !== null) this.isLooping = true
  }

  /** Sets one end of the part that is repeated to where the position is. */
  setRegionEnd(end: 'from' | 'to', seconds: number): void {
    const [from, to] = this.region ?? [0, seconds]
    if (end === 'from') this.setRegion(this.position, this.region !== null && to > this.position ? to : seconds)
    else this.setRegion(from < this.position ? from : 0, this.position)
  }

  toggleLoop(): void {
    this.isLooping = !this.isLooping
    if (!this.isLooping) this.region = null
  }

  /** The clip that plays came to its end. */
  ended(id: string): void {
    if (this.playing !== id) return
    if (this.isLooping) {
      this.position = this.region?.[0] ?? 0
      this.play(id)
    } else this.playing = null
  }

  /** The clip is another recording now, as when the step changes: it plays on where it was. */
  reloaded(id: string): void {
    if (this.playing === id) this.play(id)
  }

  /** Follows the clip that plays, and repeats what is to be repeated; for each frame. */
  follow(): void {
    const track = this.playing === null ? undefined : this.tracks.get(this.playing)
    if (track === undefined) return
    this.position = track.sound.currentTime
    if (this.isLooping && this.region !== null && this.position >= this.region[1]) this.seek(this.region[0])
  }

  #first(): string | null {
    for (const id of this.tracks.keys()) return id
    return null
  }

  /** Turns each clip down as far as it is to be. */
  applyGain(): void {
    for (const [id, { sound }] of this.tracks) sound.volume = 10 ** (this.gain(id) / 20)
  }
}

function isWithin([from, to]: Region, seconds: number): boolean {
  return seconds >= from && seconds < to
}
