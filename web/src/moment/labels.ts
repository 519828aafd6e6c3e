// What is said of a moment in words: changes, distances, names of lanes.
import type { MomentAnswer, MomentItem, MomentMark, MomentRow } from '../api/moment'
import { change, percent, step, value } from '../lib/numerals'

const LANES: Readonly<Record<string, string>> = {
  scalars: 'scalars',
  evaluation: 'evaluation',
  pr_curves: 'PR curves',
  output: 'log lines',
}

/** As the drum names it. */
export function laneName(kind: string): string {
  return LANES[kind] ?? kind
}

/** As people call the tag of an item: without what writers append to tags of texts. */
export function itemName({ tag, displayName }: MomentItem): string {
  return displayName || tag.replace(/\/text_summary$/, '')
}

/** `× 22`, `÷ 2`, `+1.328`; from and to NaN as such. */
export function changeText({ value: now, referenceValue: then, referenceStep }: MomentRow): string {
  if (Number.isNaN(referenceStep)) return '–'
  if (!Number.isFinite(now) || !Number.isFinite(then)) return Object.is(now, then) ? '0' : `→ ${value(now)}`
  if (now === then) return '0'
  const ratio = now / then
  if (ratio >= 2 && Number.isFinite(ratio)) return `× ${value(ratio, 2)}`
  if (ratio > 0 && ratio <= 0.5) return `÷ ${value(1 / ratio, 2)}`
  return change(now - then)
}

/** In full, for the tooltip. */
export function changeTitle({ value: now, referenceValue: then }: MomentRow): string {
  const share = then === 0 ? '' : ` (${percent((now - then) / Math.abs(then))})`
  return `${value(then, 6)} → ${value(now, 6)}${Number.isFinite(now - then) ? share : ''}`
}

/** Where it left its range; `usual` if it did not, nothing if there is no range. */
export function sinceText({ since, rangePoints }: MomentRow): string {
  if (!Number.isNaN(since)) return step(since)
  return rangePoints === 0 ? '–' : 'usual'
}

/** How far before the cursor: `exact`, `−20`. */
export function distance(at: number | null, cursor: number): string {
  if (at === null) return 'none before'
  return at === cursor ? 'exact' : `\u2212${step(cursor - at)}`
}

/** The same in words: `exact`, `20 before`. */
export function distanceWords(at: number | null, cursor: number): string {
  if (at === null) return ''
  return at === cursor ? 'exact' : `${step(cursor - at)} before`
}

/** By how much of the width of its usual range a value changed: `29 × range`. */
export function rangeText({ value: now, referenceValue: then, low, high }: MomentRow): string {
  const share = Math.abs(now - then) / (high - low)
  return Number.isFinite(share) && share >= 1 ? `${value(share, 2)} × range` : ''
}

/** What is marked: `4,000: train/loss out of its usual range`. */
export function markText({ step: at, kind, tag }: MomentMark): string {
  const said = { range: 'out of its usual range', nan: 'first NaN or infinity', restart: 'restarted' }[kind]
  return `${step(at)}: ${tag === null ? '' : `${tag} `}${said}`
}

const KINDS: Readonly<Record<string, string>> = {
  evaluation: 'last evaluation in range',
  item: 'last item in range',
  point: 'last point in range',
  given: 'chosen',
}

export function referenceText({ reference }: MomentAnswer): string {
  return reference === null ? 'nothing before' : `${step(reference.step)}, ${KINDS[reference.kind] ?? ''}`
}

/** Of an item from before the main tag left its range: that it is, and how far the next one is. */
export function oldText({ step: at, nextStep }: MomentItem, since: number, cursor: number): string | null {
  if (at === null || Number.isNaN(since) || at >= since) return null
  const next =
    nextStep === null ? 'none has followed' : `the next, ${step(nextStep)}, is ${step(nextStep - cursor)} after`
  return `from before the main tag left its range; ${next}`
}
