// Menu actions that may fail, with a message when they do.
import { copy } from '../lib/clipboard'
import type { Toasts } from '../state/toasts.svelte'

/** Says what went wrong instead of nothing. */
export function attempt(toasts: Pick<Toasts, 'say'>, act: () => Promise<void> | void): () => void {
  return () => {
    void (async () => {
      try {
        await act()
      } catch (error) {
        toasts.say(error instanceof Error ? error.message : String(error))
      }
    })()
  }
}

/** Copies, and says so. */
export async function copied(toasts: Pick<Toasts, 'say'>, text: string, what: string): Promise<void> {
  toasts.say((await copy(text)) ? `Copied ${what}.` : `The browser blocked copying ${what}.`)
}
