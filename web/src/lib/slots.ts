// Which place of a palette each name takes: the same one whenever it can be had, and no place twice while some are free.

/** A number from a text, evenly spread (FNV-1a). */
export function hash(text: string): number {
  let value = 0x811c9dc5
  for (let at = 0; at < text.length; at++) value = Math.imul(value ^ text.charCodeAt(at), 0x01000193)
  // Names that differ in the last character only would else be neighbours.
  value = Math.imul(value ^ (value >>> 15), 0x2c1b3c6d)
  return (value ^ (value >>> 13)) >>> 0
}

/**
 * A place for each of `names`, those before first. Places from `size` on are a second round through the palette.
 * `before` has the places that names had, `fixed` those that were chosen for them.
 */
export function slots(
  names: readonly string[],
  size: number,
  before: ReadonlyMap<string, number>,
  fixed: ReadonlyMap<string, number> = new Map(),
): ReadonlyMap<string, number> {
  const found = new Map<string, number>()
  const taken = new Set<number>()
  const take = (name: string, slot: number): void => {
    found.set(name, slot)
    taken.add(slot)
  }
  for (const name of names) {
    const slot = fixed.get(name)
    if (slot !== undefined) take(name, slot)
  }
  for (const name of names) {
    const slot = before.get(name)
    if (slot !== undefined && !found.has(name) && !taken.has(slot) && slot < roundsEnd(taken.size, size))
      take(name, slot)
  }
  for (const name of names) {
    if (!found.has(name)) take(name, free(hash(name) % size, size, taken))
  }
  return found
}

/** The end of the round that is being filled: nobody stays in a later one when there is room again. */
function roundsEnd(taken: number, size: number): number {
  return (Math.floor(taken / size) + 1) * size
}

function free(wanted: number, size: number, taken: ReadonlySet<number>): number {
  for (let round = 0; ; round += size) {
    for (let step = 0; step < size; step++) {
      const slot = round + ((wanted + step) % size)
      if (!taken.has(slot)) return slot
    }
  }
}
