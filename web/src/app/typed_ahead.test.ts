// What is typed before a dialog is open arrives in its field, in the order in which it was typed.
import { expect, test, vi } from 'vitest'
import { TypedAhead } from './typed_ahead'

class Field {
  value = ''
  get selectionStart(): number {
    return this.value.length
  }
  get selectionEnd(): number {
    return this.value.length
  }
  setRangeText(text: string, from: number, to: number): void {
    this.value = this.value.slice(0, from) + text + this.value.slice(to)
  }
  dispatchEvent(): boolean {
    return true
  }
}

test('letters stay in order when the dialog opens between two of them', () => {
  const frames: (() => void)[] = []
  vi.stubGlobal('requestAnimationFrame', (draw: () => void) => frames.push(draw))
  const field = new Field()
  let isOpen = false
  const ahead = new TypedAhead(
    () => !isOpen,
    () => (isOpen ? (field as unknown as HTMLInputElement) : null),
  )
  expect(ahead.takes('m')).toBe(true)
  isOpen = true
  // The next key goes to the field itself, before the frame that was asked for.
  ahead.deliver()
  field.value += 'a'
  for (const draw of frames) draw()
  expect(field.value).toBe('ma')
  vi.unstubAllGlobals()
})
