// The id of a card: its dashboard and its name there, so that a scalar and a histogram of one tag are two cards.
import type { Word } from '../lib/query'

/**
 * Every name that may be in a link: those of the core, and of views that the page is going to have. A tag may contain colons, so only
 * these are prefixes of cards; `tests/architecture/test_slices.py` checks that none is missing.
 */
export const DASHBOARD_NAMES = [
  'scalars',
  'images',
  'video',
  'audio',
  'text',
  'histograms',
  'hparams',
  'graphs',
  'projector',
  'pr_curves',
  'custom_scalars',
  'mesh',
  'profile',
  'tensors',
] as const

export type DashboardName = (typeof DASHBOARD_NAMES)[number]

/** Cards of this one are written without their dashboard, as they were before others had any. */
const FIRST = 'scalars'

/** `scalars:train/loss` */
export function cardId(dashboard: string, name: string): string {
  return `${dashboard}:${name}`
}

export function cardParts(id: string): readonly [dashboard: string, name: string] {
  const at = id.indexOf(':')
  return at < 0 ? [FIRST, id] : [id.slice(0, at), id.slice(at + 1)]
}

export function cardName(id: string): string {
  return cardParts(id)[1]
}

const isPrefixed = (text: string): boolean => DASHBOARD_NAMES.some((name) => text.startsWith(`${name}:`))

/** Ids of cards in links: the name alone for scalars. */
export const card: Word<string> = {
  read: (text) => (isPrefixed(text) ? text : cardId(FIRST, text)),
  write: (id) => {
    const [dashboard, name] = cardParts(id)
    return dashboard === FIRST && !isPrefixed(name) ? name : id
  },
}

const isOfRuns = (text: string): boolean => /^runs\/[^/]*\//.test(text)

/** Keys of collapsed groups in links: those of cards like ids of cards, those of the run list as they are. */
export const groupKey: Word<string> = {
  read: (text) => (isOfRuns(text) ? text : card.read(text)),
  write: (key) => {
    const written = isOfRuns(key) ? key : card.write(key)
    return isOfRuns(written) ? key : written
  },
}

const COMPOSED = 'chart:'

/** A card that people put together: it exists in the link only. */
export function composedId(dashboard: string, number: string): string {
  return cardId(dashboard, COMPOSED + number)
}

export function isComposed(id: string): boolean {
  return cardName(id).startsWith(COMPOSED)
}
