// A text as rows of one height: its lines, with long ones broken after so many characters.

export interface Rows {
  /** Where each row begins; one more for the end. */
  readonly starts: Uint32Array<ArrayBuffer>
  /** The line of each row, from 1. */
  readonly lines: Uint32Array<ArrayBuffer>
  readonly count: number
  /** Whether the text has more rows. */
  readonly isCut: boolean
}

/** At most `most` rows of at most `columns` characters. */
export function rowsOf(text: string, columns: number, most: number): Rows {
  let starts = new Uint32Array(1024)
  let lines = new Uint32Array(1024)
  let count = 0
  let line = 0
  let at = 0
  const push = (start: number): void => {
    if (count + 1 >= starts.length) {
      starts = grown(starts)
      lines = grown(lines)
    }
    starts[count] = start
    lines[count++] = line
  }
  while (at <= text.length && count < most) {
    line++
    const newline = text.indexOf('\n', at)
    const end = newline < 0 ? text.length : newline
    do {
      push(at)
      at = Math.min(end, at + columns)
      // Both halves of a character stay together.
      if (at < end && isLowHalf(text.charCodeAt(at))) at--
    } while (at < end && count < most)
    if (at === end) at++
  }
  const isCut = at <= text.length
  starts[count] = at
  return { starts, lines, count, isCut }
}

/** The characters of a row, without the end of its line. */
export function rowText(text: string, { starts }: Rows, row: number): string {
  return text.slice(starts[row], starts[row + 1]).replace(/\r?\n$/, '')
}

function isLowHalf(code: number): boolean {
  return code >= 0xdc00 && code <= 0xdfff
}

function grown(numbers: Uint32Array<ArrayBuffer>): Uint32Array<ArrayBuffer> {
  const more = new Uint32Array(2 * numbers.length)
  more.set(numbers)
  return more
}
