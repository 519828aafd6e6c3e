// What a link has of tensors alone: which part of each is in its table.
import { keyed, number, type Word } from '../../lib/query'
import type { Slice } from './slice'

/** `1.0,50,20`: positions on the leading axes, the first row and the first column. */
export const slice: Word<Slice> = {
  read(value) {
    const [leading = '', ...starts] = value.split(',')
    const index = leading === '' ? [] : leading.split('.').map(place)
    const [row, column, ...more] = starts.map(place)
    if (row === undefined || column === undefined || more.length > 0) return undefined
    const known = index.filter((one) => one !== undefined)
    return known.length < index.length ? undefined : { index: known, row, column }
  },
  write: ({ index, row, column }) => [index.join('.'), row, column].join(','),
}

function place(text: string): number | undefined {
  const found = number(text)
  return found !== undefined && Number.isSafeInteger(found) && found >= 0 ? found : undefined
}

export const tensorFacts = {
  /** By tag: the same part of the tensors of all runs. */
  slices: keyed('tensors.slice', slice),
}
