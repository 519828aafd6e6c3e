// The order in which people expect names: numbers by size, shorter paths before longer ones.

const ZERO = 48
const NINE = 57
// A separator sorts before what continues the name: `train/loss` before `train_2/loss` before `train2/loss`.
const SLASH = 47
const UNDERSCORE = 95

function weight(code: number): number {
  if (code === SLASH) return 1
  if (code === UNDERSCORE) return 2
  return code + 3
}

function isDigit(code: number): boolean {
  return code >= ZERO && code <= NINE
}

/** Where the digits that begin at `at` end. */
function digitsEnd(text: string, at: number): number {
  while (at < text.length && isDigit(text.charCodeAt(at))) at++
  return at
}

/** Whether the digit at `at` is behind a decimal point: `lr0.01` is before `lr0.1`, digit by digit. */
function isFraction(text: string, at: number): boolean {
  while (at > 0 && isDigit(text.charCodeAt(at - 1))) at--
  return text[at - 1] === '.' && isDigit(text.charCodeAt(at - 2))
}

/** `a2` before `a10`, for `sort`. Zero only for equal texts. */
export function natural(a: string, b: string): number {
  let i = 0
  let j = 0
  while (i < a.length && j < b.length) {
    const left = a.charCodeAt(i)
    const right = b.charCodeAt(j)
    if (isDigit(left) && isDigit(right) && !isFraction(a, i)) {
      const iEnd = digitsEnd(a, i)
      const jEnd = digitsEnd(b, j)
      while (i < iEnd - 1 && a.charCodeAt(i) === ZERO) i++
      while (j < jEnd - 1 && b.charCodeAt(j) === ZERO) j++
      if (iEnd - i !== jEnd - j) return iEnd - i - (jEnd - j)
      for (; i < iEnd; i++, j++) {
        const difference = a.charCodeAt(i) - b.charCodeAt(j)
        if (difference !== 0) return difference
      }
    } else {
      if (left !== right) return weight(left) - weight(right)
      i++
      j++
    }
  }
  const rest = a.length - i - (b.length - j)
  if (rest !== 0) return rest
  // `a01` and `a1` are of the same size.
  return a < b ? -1 : a > b ? 1 : 0
}
