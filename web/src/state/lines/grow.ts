// Lines that grow at their end: points are written behind those that are there, into arrays with room to spare.
import type { Numbers } from '../../lib/numbers'
import type { Points } from '../../lib/traces'

const LEAST_ROOM = 64

/** The first `from` points of a line, and `added` behind them. What was handed out before may change behind `from`. */
export function grown(line: Points, from: number, added: Points): Points {
  return {
    kind: 'points',
    x: appended(line.x, from, added.x),
    y: appended(line.y, from, added.y),
    smoothed: line.smoothed === null || added.smoothed === null ? null : appended(line.smoothed, from, added.smoothed),
  }
}

/** Arrays made here begin their buffer and may be written; those of an answer share theirs with other lines. */
const ours = new WeakSet<ArrayBuffer>()

function appended(head: Numbers, from: number, tail: Numbers): Numbers {
  const length = from + tail.length
  const isRoomy =
    ours.has(head.buffer) &&
    head.constructor === tail.constructor &&
    head.buffer.byteLength >= length * head.BYTES_PER_ELEMENT
  const room = isRoomy ? whole(head) : moved(head, from, tail, length)
  room.set(tail, from)
  return room.subarray(0, length)
}

function whole(head: Numbers): Numbers {
  return new (head.constructor as new (buffer: ArrayBuffer) => Numbers)(head.buffer)
}

function moved(head: Numbers, from: number, tail: Numbers, length: number): Numbers {
  const size = Math.max(LEAST_ROOM, 2 * length)
  // Types differ from answer to answer, and doubles hold what any of them does.
  const isSame = head.constructor === tail.constructor
  const room = isSame ? new (head.constructor as new (size: number) => Numbers)(size) : new Float64Array(size)
  room.set(head.subarray(0, from))
  ours.add(room.buffer)
  return room
}
