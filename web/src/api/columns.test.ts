// The golden frames, which the server's tests read too, come out as written; damage never gets through.
import { describe, expect, test } from 'vitest'
import { decodeFrame, FrameError, numbers, type Column } from './columns'

interface Expected {
  meta: Record<string, unknown>
  columns: Record<string, { dtype: string; numbers: (number | string)[] }>
}

const FRAMES = import.meta.glob<string>('../../../tests/golden/frames/*.kymf', {
  eager: true,
  query: '?url&inline',
  import: 'default',
})
const EXPECTED = import.meta.glob<Expected>('../../../tests/golden/frames/*.json', { eager: true, import: 'default' })

function bytesOf(dataUrl: string): ArrayBuffer {
  const text = atob(dataUrl.slice(dataUrl.indexOf(',') + 1))
  return Uint8Array.from(text, (character) => character.charCodeAt(0)).buffer
}

function golden(name: string): ArrayBuffer {
  const found = Object.entries(FRAMES).find(([path]) => path.endsWith(`/${name}.kymf`))
  if (found === undefined) throw new Error(`no golden frame: ${name}`)
  return bytesOf(found[1])
}

/** Numbers as the expectations spell them. */
function spelled(column: Column): (number | string)[] {
  return Array.from<number | bigint, number | string>(column, (number) => {
    if (typeof number === 'bigint' || !Number.isFinite(number)) return String(number)
    return Object.is(number, -0) ? '-0' : number
  })
}

const ARRAYS: Record<string, unknown> = {
  f64: Float64Array,
  f32: Float32Array,
  i64: BigInt64Array,
  u64: BigUint64Array,
  i32: Int32Array,
  u32: Uint32Array,
  i16: Int16Array,
  u16: Uint16Array,
  i8: Int8Array,
  u8: Uint8Array,
}

test('there are golden frames, each with its expectation', () => {
  const stems = (paths: string[]) => paths.map((path) => path.replace(/\.\w+$/, ''))
  expect(Object.keys(FRAMES).length).toBeGreaterThanOrEqual(5)
  expect(stems(Object.keys(FRAMES))).toEqual(stems(Object.keys(EXPECTED)))
})

test.each(Object.entries(FRAMES))('%s is read as it was written', (path, dataUrl) => {
  const expected = EXPECTED[path.replace('.kymf', '.json')]
  const frame = decodeFrame(bytesOf(dataUrl))
  expect(frame.meta).toEqual(expected?.meta)
  expect([...frame.columns.keys()]).toEqual(Object.keys(expected?.columns ?? {}))
  for (const [name, column] of frame.columns) {
    expect(spelled(column)).toEqual(expected?.columns[name]?.numbers)
    expect(column.constructor).toBe(ARRAYS[expected?.columns[name]?.dtype ?? ''])
  }
})

test('columns are views on the bytes that came', () => {
  const buffer = golden('series')
  for (const column of decodeFrame(buffer).columns.values()) expect(column.buffer).toBe(buffer)
})

test('64-bit integers become doubles, all else stays as it is', () => {
  const frame = decodeFrame(golden('types'))
  expect(numbers(frame, 'i64')).toEqual(new Float64Array([-(2 ** 63), -1, 2 ** 53, 2 ** 63]))
  expect(numbers(frame, 'u64')[0]).toBe(0)
  expect(numbers(frame, 'f32')).toBe(frame.columns.get('f32'))
  expect(() => numbers(frame, 'gone')).toThrow(new FrameError('the frame has no column: gone'))
})

test.each(Object.entries(FRAMES))('%s cut anywhere is refused', (_path, dataUrl) => {
  const whole = bytesOf(dataUrl)
  const { columns } = decodeFrame(whole)
  // Padding behind the last column may be missing.
  const end = Math.max(...[...columns.values()].map((column) => column.byteOffset + column.byteLength), 0)
  const needed = columns.size > 0 ? end : whole.byteLength
  for (let length = 0; length < needed; length++) {
    expect(() => decodeFrame(whole.slice(0, length))).toThrow(FrameError)
  }
})

describe('a header that says what cannot be', () => {
  const column = { name: 'value', dtype: 'f64', length: 1, offset: 0 }

  function frame(header: unknown, body = 8): ArrayBuffer {
    const text = new TextEncoder().encode(typeof header === 'string' ? header : JSON.stringify(header))
    const padding = (8 - ((12 + text.length) % 8)) % 8
    const bytes = new Uint8Array(12 + text.length + padding + body).fill(0x20, 12 + text.length)
    bytes.set(new TextEncoder().encode('KYMF\u0001'))
    new DataView(bytes.buffer).setUint32(8, text.length + padding, true)
    bytes.set(text, 12)
    return bytes.buffer
  }

  test('is otherwise read', () => {
    expect(decodeFrame(frame({ columns: [column], meta: {} })).columns.size).toBe(1)
  })

  test.each([
    ['not JSON', '{"columns": [', 'is not JSON'],
    ['null', null, 'lacks `columns` or `meta`'],
    ['a list', [], 'lacks `columns` or `meta`'],
    ['no meta', { columns: [] }, 'lacks `columns` or `meta`'],
    ['columns of another kind', { columns: {}, meta: {} }, 'lacks `columns` or `meta`'],
    ['a column that is null', { columns: [null], meta: {} }, 'is not an object'],
    ['no name', { columns: [{ ...column, name: 1 }], meta: {} }, 'lacks `name`'],
    ['a negative length', { columns: [{ ...column, length: -1 }], meta: {} }, 'lacks `name`'],
    ['half an element', { columns: [{ ...column, length: 0.5 }], meta: {} }, 'lacks `name`'],
    ['a huge length', { columns: [{ ...column, length: 2 ** 50 }], meta: {} }, 'beyond the frame: value'],
    ['an offset outside', { columns: [{ ...column, offset: 8 }], meta: {} }, 'beyond the frame: value'],
    ['an odd offset', { columns: [{ ...column, offset: 4 }], meta: {} }, 'not aligned: value'],
    ['an unknown type', { columns: [{ ...column, dtype: 'f16' }], meta: {} }, 'unknown type of column value: f16'],
    ['the type of an object', { columns: [{ ...column, dtype: 'constructor' }], meta: {} }, 'unknown type'],
    ['a column twice', { columns: [column, column], meta: {} }, 'duplicate column: value'],
  ])('%s', (_name, header, sentence) => {
    expect(() => decodeFrame(frame(header))).toThrow(sentence)
    expect(() => decodeFrame(frame(header))).toThrow(FrameError)
  })

  test('text that is not UTF-8', () => {
    const buffer = frame({ columns: [], meta: { run: 'x' } })
    const bytes = new Uint8Array(buffer)
    bytes[bytes.indexOf('x'.charCodeAt(0))] = 0xff
    expect(() => decodeFrame(buffer)).toThrow('is not JSON')
  })

  test.each([
    ['another magic', 0, 'not a column frame'],
    ['another version', 4, 'unsupported column frame version: 99'],
  ])('%s', (_name, at, sentence) => {
    const buffer = frame({ columns: [], meta: {} })
    new Uint8Array(buffer)[at] = 99
    expect(() => decodeFrame(buffer)).toThrow(sentence)
  })

  test('columns that are not aligned', () => {
    const buffer = frame({ columns: [], meta: {} })
    const fixed = new DataView(buffer)
    fixed.setUint32(8, fixed.getUint32(8, true) + 4, true)
    expect(() => decodeFrame(buffer)).toThrow('not aligned')
  })
})
