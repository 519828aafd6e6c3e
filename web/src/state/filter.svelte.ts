// Which runs the text of the filter field means: plain text, a regular expression, or an expression over columns.

export class Filter {
  /** Names of the entries that match; null when there is no filter. */
  readonly matches = $derived<ReadonlySet<string> | null>(null)
  /** What is wrong with the text; what matched before stays. */
  readonly trouble = $derived<string | null>(null)
}
