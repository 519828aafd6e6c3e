// Which hue of a palette each name takes: a function of the names and their order, so that it is the same on every page.

/** A number from a text, evenly spread (FNV-1a). */
export function hash(text: string): number {
  let value = 0x811c9dc5
  for (let at = 0; at < text.length; at++) value = Math.imul(value ^ text.charCodeAt(at), 0x01000193)
  // Names that differ in the last character only would else be neighbours.
  value = Math.imul(value ^ (value >>> 15), 0x2c1b3c6d)
  return (value ^ (value >>> 13)) >>> 0
}

/**
 * A hue for each of `names`, as an index into a palette of `size`: the one its hash points at, or the next that is free.
 * The first `size` names take different hues; each later one differs from half a palette of names before it, so
 * that runs started together can be distinguished. A name that is appended changes no other, one that is removed changes few.
 * `fixed` has the hues that people chose; other names avoid them while they can.
 */
export function hues(
  names: readonly string[],
  size: number,
  fixed: ReadonlyMap<string, number> = new Map(),
): ReadonlyMap<string, number> {
  const found = new Map<string, number>()
  const chosen = new Set([...fixed.values()].map((hue) => hue % size))
  const recent: number[] = []
  const apart = Math.ceil(size / 2)
  for (const name of names) {
    const near = new Set(recent.length < size ? recent : recent.slice(-apart))
    const wanted = hash(name) % size
    const own = fixed.get(name)
    const hue =
      own === undefined ? (free(wanted, size, near, chosen) ?? free(wanted, size, near) ?? wanted) : own % size
    found.set(name, hue)
    recent.push(hue)
  }
  return found
}

/** The first hue from `wanted` on that none of `taken` has; null if there is none. */
function free(wanted: number, size: number, ...taken: readonly ReadonlySet<number>[]): number | null {
  for (let step = 0; step < size; step++) {
    const hue = (wanted + step) % size
    if (taken.every((hues) => !hues.has(hue))) return hue
  }
  return null
}
