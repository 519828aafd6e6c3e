// Texts as the server reads them, and what it finds in them.
import { list, nullable, number, object, optional, text, word } from './shape'

export interface TextContent {
  /** Empty for a single string. */
  readonly shape: readonly number[] | null
  /** Row by row; null if it cannot be read. */
  readonly strings: readonly string[] | null
  /** Characters that did not come, since the text is too long. */
  readonly left_out: number
  /** Why it cannot be read. */
  readonly error: string | null
}

export interface TextQuery {
  readonly query: string
  readonly kind: 'text' | 'regex'
  readonly case: boolean
  readonly tags: readonly string[] | null
  /** Null for all. */
  readonly runs: readonly string[] | null
  /** Most texts of each series. */
  readonly texts?: number
  readonly after?: string
}

/** A match in its line. */
export interface Snippet {
  readonly line: number
  readonly before: string
  readonly match: string
  readonly after: string
}

export interface FoundText {
  readonly step: number
  readonly address: string
  readonly hits: number
  readonly snippets: readonly Snippet[]
}

export interface FoundSeries {
  readonly run: string
  readonly tag: string
  readonly hits: number
  readonly matching: number
  readonly texts: readonly FoundText[]
  /** Where the rest of its texts begins. */
  readonly next: string | null
}

export interface TextResults {
  readonly total: number
  readonly searched: number
  readonly unsearched: number
  readonly hits: number
  readonly matching: number
  /** Which limit ended the search before the last text. */
  readonly stopped: 'time' | 'bytes' | null
  readonly series: readonly FoundSeries[]
  readonly next: string | null
}

export const parseTexts = object({
  texts: list(
    object<TextContent>({
      shape: nullable(list(number)),
      strings: nullable(list(text)),
      left_out: number,
      error: optional(nullable(text), null),
    }),
  ),
})

export const parseTextResults = object<TextResults>({
  total: number,
  searched: number,
  unsearched: number,
  hits: number,
  matching: number,
  stopped: nullable(word('time', 'bytes')),
  series: list(
    object<FoundSeries>({
      run: text,
      tag: text,
      hits: number,
      matching: number,
      texts: list(
        object<FoundText>({
          step: number,
          address: text,
          hits: number,
          snippets: list(object<Snippet>({ line: number, before: text, match: text, after: text })),
        }),
      ),
      next: nullable(text),
    }),
  ),
  next: nullable(text),
})
