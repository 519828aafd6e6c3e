// What a link has of meshes alone: how they are drawn, and from where.
import { flag, joined, keyed, maybe, number, one, word, type Word } from '../../lib/query'

/** The camera as the charts have it; angles in radians. */
export interface LinkedOrbit {
  readonly yaw: number
  readonly pitch: number
  readonly zoom: number
  readonly pan: readonly [number, number, number]
}

const DEGREES = 180 / Math.PI

/** `-60,25.7,1` and, where it is panned, three more: angles in degrees, and what is looked at. */
export const orbit: Word<LinkedOrbit> = {
  read(value) {
    const parts = value.split(',').map(number)
    const [yaw, pitch, zoom, x = 0, y = 0, z = 0] = parts
    if (yaw === undefined || pitch === undefined || zoom === undefined) return undefined
    if (
      ![3, 6].includes(parts.length) ||
      parts.includes(undefined) ||
      Math.abs(pitch) > 90 ||
      zoom < 0.02 ||
      zoom > 200
    )
      return undefined
    return { yaw: yaw / DEGREES, pitch: pitch / DEGREES, zoom, pan: [x, y, z] }
  },
  write({ yaw, pitch, zoom, pan }) {
    const isPanned = pan.some((part) => short(part, 3) !== '0')
    return [
      short(yaw * DEGREES, 1),
      short(pitch * DEGREES, 1),
      String(Number(zoom.toPrecision(3))),
      ...(isPanned ? pan.map((part) => short(part, 3)) : []),
    ].join(',')
  },
}

/** Without a sign before zero. */
function short(value: number, digits: number): string {
  return String(Number(value.toFixed(digits)) + 0)
}

const place: Word<number> = {
  read: (value) => {
    const found = number(value)
    return found !== undefined && Number.isInteger(found) && found >= 0 ? found : undefined
  },
  write: String,
}

/** The key of a camera of its own: one mesh of one run. */
export function itemKey(name: string, run: string): string {
  return joined([name, run])
}

export const meshFacts = {
  /** Null for what was logged, a surface otherwise. */
  show: maybe('mesh.show', word('surface', 'wire', 'points'), { history: 'step' }),
  colourBy: one('mesh.colour', word('logged', 'x', 'y', 'z'), 'logged', { history: 'step' }),
  up: one('mesh.up', word('z', 'y'), 'z', { history: 'step' }),
  /** Whether each mesh has a camera of its own. */
  isOwn: flag('mesh.own', { history: 'step' }),
  /** That of all meshes; null for what was logged with each. */
  camera: maybe('mesh.camera', orbit),
  /** Those of single meshes, by `itemKey`. */
  cameras: keyed('mesh.from', orbit),
  /** Which of the items that were logged together is shown, by name of the mesh. */
  items: keyed('mesh.item', place),
}
