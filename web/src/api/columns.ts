// Column frames: a JSON header, then raw little-endian columns, as docs/reference/http-api.md lays them out.
import type { Numbers } from '../lib/numbers'

export type Column =
  | Float64Array<ArrayBuffer>
  | Float32Array<ArrayBuffer>
  | BigInt64Array<ArrayBuffer>
  | BigUint64Array<ArrayBuffer>
  | Int32Array<ArrayBuffer>
  | Uint32Array<ArrayBuffer>
  | Int16Array<ArrayBuffer>
  | Uint16Array<ArrayBuffer>
  | Int8Array<ArrayBuffer>
  | Uint8Array<ArrayBuffer>

/** A column whose elements are plain numbers. */
export type NumberColumn = Numbers

/** What a server answered: views on its bytes, nothing is copied. */
export interface Frame {
  /** Everything that is not a column; the caller knows what it must be, and checks. */
  readonly meta: Readonly<Record<string, unknown>>
  readonly columns: ReadonlyMap<string, Column>
}

/** Bytes that are not a column frame, or one that lacks a column. */
export class FrameError extends Error {
  override readonly name = 'FrameError'
}

const MAGIC = 0x464d594b // `KYMF`, read as a little-endian number
const VERSION = 1
const FIXED_BYTES = 12
const ALIGN_BYTES = 8

interface Dtype {
  readonly bytes: number
  readonly view: (buffer: ArrayBuffer, offset: number, length: number) => Column
}

// Typed arrays have the byte order of the machine. Every machine with a browser is little-endian.
const DTYPES: ReadonlyMap<string, Dtype> = new Map<string, Dtype>([
  ['f64', { bytes: 8, view: (buffer, offset, length) => new Float64Array(buffer, offset, length) }],
  ['f32', { bytes: 4, view: (buffer, offset, length) => new Float32Array(buffer, offset, length) }],
  ['i64', { bytes: 8, view: (buffer, offset, length) => new BigInt64Array(buffer, offset, length) }],
  ['u64', { bytes: 8, view: (buffer, offset, length) => new BigUint64Array(buffer, offset, length) }],
  ['i32', { bytes: 4, view: (buffer, offset, length) => new Int32Array(buffer, offset, length) }],
  ['u32', { bytes: 4, view: (buffer, offset, length) => new Uint32Array(buffer, offset, length) }],
  ['i16', { bytes: 2, view: (buffer, offset, length) => new Int16Array(buffer, offset, length) }],
  ['u16', { bytes: 2, view: (buffer, offset, length) => new Uint16Array(buffer, offset, length) }],
  ['i8', { bytes: 1, view: (buffer, offset, length) => new Int8Array(buffer, offset, length) }],
  ['u8', { bytes: 1, view: (buffer, offset, length) => new Uint8Array(buffer, offset, length) }],
])

/** The columns and the meta object of a frame. Throws FrameError when the bytes are not a frame. */
export function decodeFrame(buffer: ArrayBuffer): Frame {
  if (buffer.byteLength < FIXED_BYTES) throw new FrameError('the frame is cut off in its first bytes')
  const fixed = new DataView(buffer)
  if (fixed.getUint32(0, true) !== MAGIC) throw new FrameError('not a column frame')
  const version = fixed.getUint8(4)
  if (version !== VERSION) throw new FrameError(`unsupported column frame version: ${String(version)}`)
  const start = FIXED_BYTES + fixed.getUint32(8, true)
  if (start > buffer.byteLength) throw new FrameError('the frame is cut off in its header')
  if (start % ALIGN_BYTES !== 0) throw new FrameError('the columns of the frame are not aligned')
  const header = parseHeader(new Uint8Array(buffer, FIXED_BYTES, start - FIXED_BYTES))
  const columns = new Map<string, Column>()
  for (const listed of header.columns) {
    const [name, column] = decodeColumn(buffer, start, listed)
    if (columns.has(name)) throw new FrameError(`duplicate column: ${name}`)
    columns.set(name, column)
  }
  return { meta: header.meta, columns }
}

function parseHeader(bytes: Uint8Array): { columns: unknown[]; meta: Record<string, unknown> } {
  let header: unknown
  try {
    header = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch {
    throw new FrameError('the header of the frame is not JSON')
  }
  if (!isRecord(header) || !Array.isArray(header.columns) || !isRecord(header.meta)) {
    throw new FrameError('the header of the frame lacks `columns` or `meta`')
  }
  return { columns: header.columns, meta: header.meta }
}

function decodeColumn(buffer: ArrayBuffer, start: number, listed: unknown): [string, Column] {
  if (!isRecord(listed)) throw new FrameError('a column of the frame is not an object')
  const { name, dtype, length, offset } = listed
  if (typeof name !== 'string' || typeof dtype !== 'string' || !isCount(length) || !isCount(offset)) {
    throw new FrameError('a column of the frame lacks `name`, `dtype`, `length` or `offset`')
  }
  const kind = DTYPES.get(dtype)
  if (kind === undefined) throw new FrameError(`unknown type of column ${name}: ${dtype}`)
  if (offset % ALIGN_BYTES !== 0) throw new FrameError(`column is not aligned: ${name}`)
  if (start + offset + length * kind.bytes > buffer.byteLength) {
    throw new FrameError(`column extends beyond the frame: ${name}`)
  }
  return [name, kind.view(buffer, start + offset, length)]
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0
}

/**
 * A column as plain numbers, for charts. 64-bit integers become doubles, exact up to 2^53; all others stay as they are.
 * Throws FrameError when the frame does not have it.
 */
export function numbers(frame: Frame, name: string): NumberColumn {
  const column = frame.columns.get(name)
  if (column === undefined) throw new FrameError(`the frame has no column: ${name}`)
  if (column instanceof BigInt64Array || column instanceof BigUint64Array) return Float64Array.from(column, Number)
  return column
}
