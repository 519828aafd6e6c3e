// What a link has of the scalars alone: charts that people made, and fixed ranges of y.
import type { Range } from '../../lib/numbers'
import { before, joined, many, number, range, split, type Fact, type Word } from '../../lib/query'

/** A chart that people made: several tags, or expressions over tags. */
export interface OwnChart {
  readonly id: string
  readonly tags: readonly string[]
  readonly expressions: readonly string[]
}

/** A range of y for all tags that match. */
export interface YRange {
  readonly pattern: string
  readonly range: Range
}

/** `id,2,train/loss,val/loss,lr * 10`: the number is how many of the rest are tags. */
const ownChart: Word<OwnChart> = {
  read(value) {
    const [id, size = '', ...sources] = split(value)
    const tags = number(size)
    return id === undefined || tags === undefined
      ? undefined
      : { id, tags: sources.slice(0, tags), expressions: sources.slice(tags) }
  },
  write: ({ id, tags, expressions }) => joined([id, String(tags.length), ...tags, ...expressions]),
}

const listed = many('chart', ownChart, { after: 'pin' })
const charts: Fact<readonly OwnChart[]> = {
  ...listed,
  // A link that was written by hand may contain an id twice; two cards of one id cannot be drawn.
  read: (values) => [...new Map(listed.read(values)?.map((chart) => [chart.id, chart])).values()],
}

const yRange: Word<YRange> = {
  read(value) {
    const ends = range.read(before(value, ';'))
    return ends === undefined ? undefined : { pattern: value.slice(value.indexOf(';') + 1), range: ends }
  },
  write: ({ pattern, range: ends }) => `${range.write(ends)};${pattern}`,
}

export const scalarFacts = {
  charts,
  yRanges: many('yRange', yRange, { after: 'chart' }),
}
