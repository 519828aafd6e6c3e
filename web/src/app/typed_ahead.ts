// What a person types while a dialog is still being loaded: kept, and written into its field when it is there.

export class TypedAhead {
  readonly #isComing: () => boolean
  readonly #field: () => HTMLInputElement | null
  #text = ''
  #isWaiting = false

  /** `isComing` tells whether a dialog was asked for that is not there yet, `field` gives its field once there is one. */
  constructor(isComing: () => boolean, field: () => HTMLInputElement | null) {
    this.#isComing = isComing
    this.#field = field
  }

  /** Whether the stroke is none of the page's business. */
  takes(key: string): boolean {
    if (!this.#isComing()) return false
    if (key.length === 1) this.#text += key
    else if (key === 'Backspace') this.#text = this.#text.slice(0, -1)
    if (!this.#isWaiting) this.#wait()
    return true
  }

  #wait(): void {
    this.#isWaiting = true
    requestAnimationFrame(() => {
      const field = this.#field()
      if (field === null && this.#isComing()) {
        this.#wait()
        return
      }
      this.#isWaiting = false
      if (field !== null && this.#text !== '') {
        field.setRangeText(this.#text, field.selectionStart ?? 0, field.selectionEnd ?? 0, 'end')
        field.dispatchEvent(new Event('input', { bubbles: true }))
      }
      this.#text = ''
    })
  }
}
