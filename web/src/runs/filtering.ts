// What the filter field shows: its text in pieces, and the words that it knows.
import { valueText, type Vocabulary } from '../lib/expression/complete'
import type { Query } from '../lib/expression/query'
import { tokens, type Token } from '../lib/expression/tokens'
import { natural } from '../lib/natural'
import { STATS } from '../state/columns.svelte'
import { RUN_FIELDS } from '../state/filter.svelte'
import type { Page } from '../state/page.svelte'

const MANY_VALUES = 100

export interface Piece {
  readonly text: string
  readonly kind: Token['kind'] | 'plain'
  readonly isWrong: boolean
}

/** The text of the filter as words of their kinds; `wrongAt` marks the word that cannot stay as it is. */
export function pieces(text: string, kind: Query['kind'], wrongAt: number | null): readonly Piece[] {
  const found: Piece[] = []
  let at = 0
  const add = (to: number, kind: Piece['kind']): void => {
    if (to > at)
      found.push({ text: text.slice(at, to), kind, isWrong: wrongAt !== null && wrongAt >= at && wrongAt < to })
    at = to
  }
  for (const token of kind === 'expression' ? readTokens(text) : []) {
    add(token.from, 'plain')
    add(token.to, token.kind)
  }
  if (wrongAt !== null && wrongAt > at) add(Math.min(wrongAt, text.length), 'plain')
  add(text.length, 'plain')
  return found
}

function readTokens(text: string): readonly Token[] {
  try {
    return tokens(text)
  } catch {
    return []
  }
}

/** Names of the board, with the values that a hyper-parameter has where they are few. */
export function vocabulary({ hparams, tags, curation, filter }: Page): Vocabulary {
  return {
    names: [
      ...hparams.names.map((name) => ({ name, detail: 'hyper-parameter' })),
      ...tags.all.map(({ tag }) => ({ name: tag, detail: 'metric' })),
      ...Object.keys(RUN_FIELDS).map((name) => ({ name, detail: 'field' })),
    ],
    stats: STATS,
    values: (name) => {
      const id = filter.columnOf(name)
      if (id === 'about:status') return ['running', 'silent', 'stalled', 'ended', 'finished', 'failed']
      const found = new Set<string>()
      if (id === 'about:tags')
        for (const { tags: labels } of curation.runs.values()) for (const label of labels) found.add(valueText(label))
      if (id?.startsWith('hparam:') === true) {
        for (const values of hparams.byRun.values()) {
          const value = values.get(id.slice('hparam:'.length))
          if (value !== undefined) found.add(valueText(value))
          if (found.size > MANY_VALUES) return []
        }
      }
      return [...found].sort(natural)
    },
  }
}
