// The kinds of column that numbers come in.

/** Numbers side by side in memory. */
export type Numbers =
  | Float64Array<ArrayBuffer>
  | Float32Array<ArrayBuffer>
  | Int32Array<ArrayBuffer>
  | Uint32Array<ArrayBuffer>
  | Int16Array<ArrayBuffer>
  | Uint16Array<ArrayBuffer>
  | Int8Array<ArrayBuffer>
  | Uint8Array<ArrayBuffer>

/** From and to, both counted in; never the other way round. */
export type Range = readonly [from: number, to: number]
