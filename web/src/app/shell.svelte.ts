// What the shell itself shows over the page.

export type Sheet = 'palette' | 'keys' | 'settings' | 'damage' | 'save-view' | 'runs'

export class Shell {
  /** The one thing that lies over the page. */
  sheet = $state<Sheet | null>(null)

  open(sheet: Sheet): void {
    this.sheet = sheet
  }

  close(): void {
    this.sheet = null
  }
}
