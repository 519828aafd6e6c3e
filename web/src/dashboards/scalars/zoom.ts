// What part of its data a card shows, and how zooming changes what the link says.
import type { ChartView } from '../../charts/line/types'
import type { Range } from '../../lib/numbers'
import type { Zoom } from '../../state/facts/charts'
import type { Scale } from '../../state/facts/core'
import type { ViewValues, View } from '../../state/view.svelte'
import { scalarFacts, type YRange } from './facts'

type Facts = Pick<ViewValues, 'window' | 'isLinked'>

/** The card's own zoom; where it has none, the window of the board. */
export function shownView({ window, isLinked }: Facts, own: Zoom | null): ChartView {
  if (own === null) return { x: window, y: null }
  return { x: isLinked ? window : (own.x ?? window), y: own.y }
}

/** The person zoomed the card to `wanted`; linked cards share x. */
export function zoomCard(view: View, id: string, wanted: ChartView): void {
  const { isLinked, zooms, window } = view.values
  const others = Object.fromEntries(Object.entries(zooms).filter(([other]) => other !== id))
  const own = { x: isLinked ? null : wanted.x, y: wanted.y }
  view.set('zooms', own.x === null && own.y === null ? others : { ...others, [id]: own })
  // Asked for everything, a card leaves the window too: else nothing would happen.
  if (isLinked ? !isSame(window, wanted.x) : wanted.x === null && window !== null) view.set('window', wanted.x)
}

function isSame(one: Range | null, other: Range | null): boolean {
  return one === other || (one !== null && other !== null && one[0] === other[0] && one[1] === other[1])
}

export function setScale(view: View, id: string, scale: Scale): void {
  const { yScale, yScales } = view.values
  const others = Object.entries(yScales).filter(([other]) => other !== id)
  view.set('yScales', Object.fromEntries(scale === yScale ? others : [...others, [id, scale]]))
}

/** The first fixed range of y whose pattern fits one of the names; null when none does. */
export function fixedRange(ranges: readonly YRange[], names: readonly string[]): YRange | null {
  return ranges.find(({ pattern }) => names.some((name) => fits(pattern, name))) ?? null
}

/** `train/*`: a star stands for anything; everything else for itself. */
export function fits(pattern: string, name: string): boolean {
  const parts = pattern.split('*').map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  return new RegExp(`^${parts.join('.*')}$`, 's').test(name)
}

/** Fixes the range of y of all tags that fit the pattern; null unfixes it. */
export function fixRange(view: View, pattern: string, range: Range | null): void {
  const { values, set } = view.facts(scalarFacts)
  const others = values.yRanges.filter((other) => other.pattern !== pattern)
  set('yRanges', range === null ? others : [{ pattern, range }, ...others])
}
