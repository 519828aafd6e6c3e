// Words marked in what is shown, without touching it: the browser paints ranges of text (`::highlight(search)` in base.css).
import type { Attachment } from 'svelte/attachments'

const NAME = 'search'
// More cannot be told apart.
const MOST_MARKS = 2_000

/** Marks these words in an element, whatever their case, and again when it changes. */
export function marked(words: readonly string[]): Attachment<HTMLElement> {
  return (element) => {
    const wanted = words.map((word) => word.toLowerCase()).filter((word) => word !== '')
    if (wanted.length === 0 || !('highlights' in CSS)) return
    let highlight = CSS.highlights.get(NAME)
    if (highlight === undefined) CSS.highlights.set(NAME, (highlight = new Highlight()))
    const all = highlight
    let ranges: readonly Range[] = []
    const clear = (): void => {
      for (const range of ranges) all.delete(range)
    }
    const update = (): void => {
      clear()
      ranges = rangesIn(element, wanted)
      for (const range of ranges) all.add(range)
    }
    update()
    const observer = new MutationObserver(update)
    observer.observe(element, { childList: true, subtree: true, characterData: true })
    return () => {
      observer.disconnect()
      clear()
    }
  }
}

function rangesIn(element: HTMLElement, words: readonly string[]): Range[] {
  const ranges: Range[] = []
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT)
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    const text = (node.nodeValue ?? '').toLowerCase()
    // A few characters are longer in lower case, which would move all that follows.
    if (text.length !== node.nodeValue?.length) continue
    for (const word of words) {
      for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + word.length)) {
        if (ranges.length >= MOST_MARKS) return ranges
        const range = new Range()
        range.setStart(node, at)
        range.setEnd(node, at + word.length)
        ranges.push(range)
      }
    }
  }
  return ranges
}
