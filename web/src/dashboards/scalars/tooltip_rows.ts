// The rows of the tooltip: which lines, in which order, with which figures.
import type { Reading, XKind } from '../../charts/line/types'
import type { TooltipText } from '../../charts/tooltip/tooltip'
import { natural } from '../../lib/natural'
import { change, duration, moment, step, values } from '../../lib/numerals'
import type { TooltipSort } from '../../state/settings.svelte'
import type { Clock, Moment } from './clock'

export type TooltipColumn = 'smoothed' | 'value' | 'step' | 'relative' | 'wall' | 'delta'

const NAMES: Readonly<Record<TooltipColumn, string>> = {
  smoothed: 'Smoothed',
  value: 'Value',
  step: 'Step',
  relative: 'Relative',
  wall: 'Wall time',
  delta: 'Difference',
}

/** The run or group of a reading. */
export interface Named {
  readonly label: string
  readonly colour: string
  readonly isLead: boolean
}

export interface Taste {
  readonly sort: TooltipSort
  readonly limit: number
  readonly columns: readonly TooltipColumn[]
}

export interface Context {
  readonly kind: XKind
  /** y of the pointer. */
  readonly y: number
  readonly nearest: string | null
  named(key: string): Named | null
  clock(key: string): Clock | null
  /** The line that the others are compared with. */
  readonly reference: string | null
}

export function shownValue(reading: Reading): number {
  return reading.smoothed ?? reading.y
}

/** Grey lines have a row only when they are nearest, or when there are no others. */
export function tooltipRows(readings: readonly Reading[], context: Context, taste: Taste): TooltipText {
  const known = readings.flatMap((reading) => {
    const named = context.named(reading.key)
    return named === null ? [] : [{ reading, named }]
  })
  const hasLead = known.some(({ named }) => named.isLead)
  const listed = known.filter(({ reading, named }) => named.isLead || !hasLead || reading.key === context.nearest)
  listed.sort(order(taste.sort, context.y))
  const shown = withNearest(listed, context.nearest, Math.max(1, taste.limit))
  const base = readings.find((reading) => reading.key === context.reference)
  const columns = taste.columns.map((column) => cells(shown, context, column, base))
  const rows = shown.map(({ reading, named }, at) => ({
    key: reading.key,
    label: named.label,
    colour: named.colour,
    isNearest: reading.key === context.nearest,
    cells: columns.map((texts) => texts[at] ?? ''),
  }))
  const hidden = listed.length - shown.length
  const grey = known.length - listed.length
  const more = [hidden > 0 ? `${step(hidden)} more` : '', grey > 0 ? `${step(grey)} in grey` : '']
  return {
    columns: taste.columns.map((column) => NAMES[column]),
    rows,
    more: more.filter((part) => part !== '').join(', '),
  }
}

type Item = { readonly reading: Reading; readonly named: Named }

/** The first ones; the nearest line is among them whatever the order. */
function withNearest(items: readonly Item[], nearest: string | null, limit: number): readonly Item[] {
  const at = items.findIndex(({ reading }) => reading.key === nearest)
  const item = items[at]
  return at < limit || item === undefined ? items.slice(0, limit) : [...items.slice(0, limit - 1), item]
}

function order(sort: TooltipSort, y: number): (one: Item, other: Item) => number {
  const byName = (one: Item, other: Item): number => natural(one.named.label, other.named.label)
  const by =
    (figure: (item: Item) => number) =>
    (one: Item, other: Item): number => {
      const first = figure(one)
      const second = figure(other)
      // What is no number comes last.
      if (Number.isNaN(first) || Number.isNaN(second))
        return Number(Number.isNaN(first)) - Number(Number.isNaN(second)) || byName(one, other)
      return first - second || byName(one, other)
    }
  if (sort === 'nearest') return by((item) => item.reading.distance)
  if (sort === 'nearest-y') return by((item) => Math.abs(shownValue(item.reading) - y))
  if (sort === 'ascending') return by((item) => shownValue(item.reading))
  return sort === 'descending' ? by((item) => -shownValue(item.reading)) : byName
}

/** One column: figures have the same number of decimals as far as that makes sense. */
function cells(
  items: readonly Item[],
  context: Context,
  column: TooltipColumn,
  base: Reading | undefined,
): readonly string[] {
  const readings = items.map(({ reading }) => reading)
  const momentOf = ({ key, x }: Reading): Moment | null => context.clock(key)?.moment(x, context.kind) ?? null
  if (column === 'smoothed') return values(readings.map(shownValue))
  if (column === 'value')
    return values(
      readings.map(({ y }) => y),
      3,
    )
  return readings.map((reading) => {
    if (column === 'delta')
      return base === undefined || base === reading ? '' : change(shownValue(reading) - shownValue(base), 3)
    if (column === 'step')
      return context.kind === 'step' ? step(reading.x) : textOf(momentOf(reading), (known) => step(known.step))
    if (column === 'relative') return textOf(momentOf(reading), (known) => duration(known.relative))
    return textOf(momentOf(reading), (known) => moment(known.wall))
  })
}

function textOf(known: Moment | null, text: (known: Moment) => string): string {
  return known === null ? '–' : text(known)
}
