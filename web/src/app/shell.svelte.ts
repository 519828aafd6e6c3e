// What the shell itself shows over the page.

export type Sheet = 'palette' | 'keys' | 'settings' | 'damage' | 'save-view' | 'runs'

const WITH_FIELD: readonly (Sheet | null)[] = ['palette', 'save-view']
// What has not loaded by then will not load.
const COMING_MILLIS = 5_000

export class Shell {
  /** The one thing that is over the page. */
  sheet = $state<Sheet | null>(null)

  #openedAt = 0

  open(sheet: Sheet): void {
    this.sheet = sheet
    this.#openedAt = Date.now()
  }

  /** Whether something with a field was asked for just now. */
  get isWritingExpected(): boolean {
    return WITH_FIELD.includes(this.sheet) && Date.now() - this.#openedAt < COMING_MILLIS
  }

  close(): void {
    this.sheet = null
  }
}
