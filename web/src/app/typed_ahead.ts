// What a person types while a dialog is still being loaded: kept, and written into its field when it is there.

export class TypedAhead {
  readonly #isComing: () => boolean
  readonly #field: () => HTMLInputElement | null
  #text = ''
  #isWaiting = false

  /** `isComing`: whether a dialog was requested and is not open yet; `field`: its field once there is one. */
  constructor(isComing: () => boolean, field: () => HTMLInputElement | null) {
    this.#isComing = isComing
    this.#field = field
  }

  /** Whether the page should ignore the stroke. */
  takes(key: string): boolean {
    if (!this.#isComing()) return false
    if (key.length === 1) this.#text += key
    else if (key === 'Backspace') this.#text = this.#text.slice(0, -1)
    if (!this.#isWaiting) this.#wait()
    return true
  }

  /** Writes what was kept into the field, if it is there. Must precede the next key, or letters change places. */
  deliver(): void {
    const field = this.#field()
    if (field === null || this.#text === '') return
    field.setRangeText(this.#text, field.selectionStart ?? 0, field.selectionEnd ?? 0, 'end')
    this.#text = ''
    field.dispatchEvent(new Event('input', { bubbles: true }))
  }

  #wait(): void {
    this.#isWaiting = true
    requestAnimationFrame(() => {
      if (this.#field() === null && this.#isComing()) {
        this.#wait()
        return
      }
      this.#isWaiting = false
      this.deliver()
      this.#text = ''
    })
  }
}
