// What a link has of the texts alone: how they are shown, what is compared, and what is searched for.
import { flag, maybe, number, one, text, word } from '../../lib/query'

export const textFacts = {
  show: one('text.show', word('rendered', 'source'), 'rendered', { history: 'step' }),
  compare: one('text.compare', word('off', 'steps', 'runs'), 'off', { history: 'step' }),
  /** The step that texts are compared with; null for the one logged before. */
  from: maybe('text.from', { read: number, write: String }),
  /** The run that others are compared with; null for the first. */
  base: maybe('text.base', text, { history: 'step' }),
  search: one('text.search', text, '', { history: 'typing' }),
  isRegex: flag('text.regex', { history: 'step' }),
  /** Whether upper and lower case differ in a search. */
  isCased: flag('text.case', { history: 'step' }),
}
