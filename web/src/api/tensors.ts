// Tensors as the server describes them, and some of their values.
import { anything, list, nullable, number, object, optional, text } from './shape'

export interface TensorStatistics {
  readonly min: number | null
  readonly max: number | null
  readonly mean: number | null
  readonly std: number | null
  readonly nan: number
  readonly positive_infinities: number
  readonly negative_infinities: number
  readonly zeros: number
}

/** Which values of a tensor; the ends of ranges are counted out. */
export interface TensorPart {
  /** Positions on the axes before the last two. */
  readonly index: readonly number[]
  readonly rows: readonly [from: number, to: number]
  readonly columns: readonly [from: number, to: number]
}

export interface TensorInfo {
  readonly dtype: string | null
  readonly shape: readonly number[] | null
  readonly elements: number | null
  /** Null where the elements are not numbers. */
  readonly statistics: TensorStatistics | null
  /** Why it cannot be read. */
  readonly error: string | null
}

export interface TensorValues {
  readonly shape: readonly number[]
  readonly index: readonly number[]
  readonly rows: readonly number[]
  readonly columns: readonly number[]
  /** Numbers, booleans, strings, or pairs for complex numbers. */
  readonly values: readonly (readonly unknown[])[]
}

export const parseTensors = object({
  tensors: list(
    object<TensorInfo>({
      dtype: nullable(text),
      shape: nullable(list(number)),
      elements: nullable(number),
      statistics: nullable(
        object<TensorStatistics>({
          min: nullable(number),
          max: nullable(number),
          mean: nullable(number),
          std: nullable(number),
          nan: number,
          positive_infinities: number,
          negative_infinities: number,
          zeros: number,
        }),
      ),
      error: optional(nullable(text), null),
    }),
  ),
})

export const parseTensorValues = object<TensorValues>({
  shape: list(number),
  index: list(number),
  rows: list(number),
  columns: list(number),
  values: list(list(anything)),
})
