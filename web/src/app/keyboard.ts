// From strokes on the keyboard to commands: also those of two strokes, and never while a person writes.
import { isTaken, matches, type Stroke } from '../lib/keys'
import { isEnabled, type Command } from '../state/commands.svelte'
import { TypedAhead } from './typed_ahead'

// Between the two strokes of `g s`.
const PATIENCE_MILLIS = 1_200

export class Keyboard {
  readonly #commands: () => readonly Command[]
  readonly #apple: boolean
  #strokes: Stroke[] = []
  #lastAt = 0

  constructor(commands: () => readonly Command[], apple: boolean) {
    this.#commands = commands
    this.#apple = apple
  }

  /** The command that this stroke completes. `pending` if it begins or continues one. */
  press(stroke: Stroke, at: number): Command | 'pending' | null {
    if (at - this.#lastAt > PATIENCE_MILLIS) this.#strokes = []
    this.#lastAt = at
    this.#strokes = [...this.#strokes, stroke]
    const found = this.#find() ?? (this.#strokes.length > 1 ? this.#again(stroke) : null)
    if (found !== 'pending') this.#strokes = []
    return found
  }

  /** A stroke that does not continue the last one may begin a new sequence. */
  #again(stroke: Stroke): Command | 'pending' | null {
    this.#strokes = [stroke]
    return this.#find()
  }

  #find(): Command | 'pending' | null {
    let isPending = false
    // What came last is nearest to what a person looks at.
    for (const command of [...this.#commands()].reverse()) {
      for (const binding of command.keys ?? []) {
        const parts = binding.split(' ')
        const isBegun = this.#strokes.every((stroke, n) => matches(parts[n] ?? '', stroke, this.#apple))
        if (!isBegun || !isEnabled(command)) continue
        if (parts.length === this.#strokes.length) return command
        isPending = true
      }
    }
    return isPending ? 'pending' : null
  }
}

const OVER = 'dialog:modal, [popover]:not([popover="manual"]):popover-open'

/** Listens to the window until the returned function is called. `isAsked` returns whether a dialog with a text field was requested, which may still be loading. */
export function listen(keyboard: Keyboard, isAsked: () => boolean): () => void {
  const ahead = new TypedAhead(() => isAsked() && document.querySelector(OVER) === null, fieldOver)
  const onKeydown = (event: KeyboardEvent): void => {
    if (event.defaultPrevented || event.isComposing || ['Shift', 'Control', 'Alt', 'Meta'].includes(event.key)) return
    const element = event.target instanceof Element ? event.target : null
    const hasModifier = event.ctrlKey || event.metaKey
    // What is over the page has the keys to itself; the tooltip of a chart, a manual popover, takes none.
    if (document.querySelector(OVER) !== null && !hasModifier) return
    if (!hasModifier && ahead.takes(event.key)) {
      event.preventDefault()
      return
    }
    if (isTaken(element, event) && !hasModifier) return
    const found = keyboard.press(event, event.timeStamp)
    if (found === null) return
    event.preventDefault()
    if (found !== 'pending') found.run()
  }
  const deliver = (): void => {
    ahead.deliver()
  }
  window.addEventListener('keydown', deliver, true)
  window.addEventListener('keydown', onKeydown)
  return () => {
    window.removeEventListener('keydown', deliver, true)
    window.removeEventListener('keydown', onKeydown)
  }
}

/** The field that has the focus in what is over the page. */
function fieldOver(): HTMLInputElement | null {
  const field = document.activeElement
  return field instanceof HTMLInputElement && field.closest('dialog:modal') !== null ? field : null
}
