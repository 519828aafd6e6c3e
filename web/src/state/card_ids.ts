// The id of a card: its dashboard and its name there, so that a scalar and a histogram of one tag are two cards.
import type { Word } from '../lib/query'

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

/** Ids in links and notes: the name alone for scalars. Tags may have colons too, so only known dashboards are prefixes. */
export function cardWord(dashboards: readonly string[]): Word<string> {
  const isPrefixed = (text: string): boolean => dashboards.some((name) => text.startsWith(`${name}:`))
  return {
    read: (text) => (isPrefixed(text) ? text : cardId(FIRST, text)),
    write: (id) => {
      const [dashboard, name] = cardParts(id)
      return dashboard === FIRST && !isPrefixed(name) ? name : id
    },
  }
}

/** Keys of collapsed groups in links: those of cards like ids of cards, those of the run list as they are. */
export function groupWord(dashboards: readonly string[]): Word<string> {
  const cards = cardWord(dashboards)
  const isOfRuns = (text: string): boolean => /^runs\/[^/]*\//.test(text)
  return {
    read: (text) => (isOfRuns(text) ? text : cards.read(text)),
    write: (key) => {
      const written = isOfRuns(key) ? key : cards.write(key)
      return isOfRuns(written) ? key : written
    },
  }
}

const COMPOSED = 'chart:'

/** A card that people put together: it exists in the link only. */
export function composedId(dashboard: string, number: string): string {
  return cardId(dashboard, COMPOSED + number)
}

export function isComposed(id: string): boolean {
  return cardName(id).startsWith(COMPOSED)
}
