// What a menu offers.
import type { IconName } from './icons'

export interface MenuItem {
  readonly label: string
  run(): void
  readonly icon?: IconName
  /** The key that does the same, as a person reads it. */
  readonly keys?: string
  /** For what is on or off, or one of several. */
  readonly checked?: boolean
  readonly disabled?: boolean
  /** A rule above it. */
  readonly separated?: boolean
  /** Grey, at the right. */
  readonly note?: string
  /** For what cannot be undone easily. */
  readonly danger?: boolean
}
