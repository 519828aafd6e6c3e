// Keys: how they are written, whether a person pressed them, and when the page ignores them.

/** `g s` is two strokes; `Shift+ArrowLeft`, `$mod+k` and `Space` are one. */
export type Binding = string

export interface Stroke {
  readonly key: string
  readonly code: string
  readonly ctrlKey: boolean
  readonly metaKey: boolean
  readonly altKey: boolean
  readonly shiftKey: boolean
}

/** `$mod` is ⌘ there and Ctrl elsewhere. */
export function isApple(platform: string): boolean {
  return /mac|iphone|ipad/i.test(platform)
}

/** Modifiers and key; a plus at the end is the key of that name. */
function partsOf(part: string): string[] {
  return part.split(/\+(?=.)/)
}

/** Whether the stroke is this part of a binding. */
export function matches(part: string, stroke: Stroke, apple: boolean): boolean {
  const [key = '', ...modifiers] = partsOf(part).reverse()
  const wants = (name: string): boolean => modifiers.includes(name)
  const command = apple ? stroke.metaKey : stroke.ctrlKey
  const other = apple ? stroke.ctrlKey : stroke.metaKey
  if (command !== wants('$mod') || other || stroke.altKey !== wants('Alt')) return false
  // A sign such as `?` is on Shift on some keyboards and not on others.
  const isSign = key.length === 1 && !/[a-z]/i.test(key)
  if (!isSign && stroke.shiftKey !== wants('Shift')) return false
  return pressed(stroke).toLowerCase() === key.toLowerCase()
}

/** The key; on keyboards without Latin letters, the letter that is there on others. */
function pressed({ key, code }: Stroke): string {
  // A blank is between two strokes of a binding.
  if (key === ' ') return 'Space'
  return key.length === 1 && key > '\x7f' && code.startsWith('Key') ? code.slice(3) : key
}

const NAMES: Readonly<Record<string, string>> = {
  ArrowLeft: '←',
  ArrowRight: '→',
  ArrowUp: '↑',
  ArrowDown: '↓',
  Escape: 'Esc',
  ' ': 'Space',
}

/** As people read it: `Ctrl K`, `⌘ K`, `g s`. */
export function shown(binding: Binding, apple: boolean): string {
  const stroke = (part: string): string => {
    const keys = partsOf(part)
    const isAlone = keys.length === 1
    return keys
      .map((key) =>
        key === '$mod' ? (apple ? '⌘' : 'Ctrl') : (NAMES[key] ?? (isAlone || key.length > 1 ? key : key.toUpperCase())),
      )
      .join(' ')
  }
  return binding.split(' ').map(stroke).join(' ')
}

/** What an element does with keys by itself. */
export function isTaken(element: Element | null, stroke: Stroke): boolean {
  if (element === null) return false
  const isWriting =
    element.closest('input:not([type=checkbox], [type=radio], [type=range]), textarea, select, [contenteditable]') !==
    null
  if (isWriting) return true
  if (stroke.key.startsWith('Arrow') || stroke.key === 'Home' || stroke.key === 'End') {
    return (
      element.closest(
        'input, [role=menu], [role=listbox], [role=slider], [role=separator], [role=tablist], [data-arrows]',
      ) !== null
    )
  }
  return (
    (stroke.key === 'Enter' || stroke.key === ' ') &&
    element.closest('button, a, input, summary, [role=button]') !== null
  )
}
