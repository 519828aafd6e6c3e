// Short messages with at most one thing to do, such as undo.

export interface Toast {
  readonly id: number
  readonly text: string
  readonly action: { readonly label: string; run(): void } | null
}

const SHOWN_MILLIS = 8_000
// More would cover what they are about.
const AT_ONCE = 3

export class Toasts {
  all = $state.raw<readonly Toast[]>([])
  #next = 1

  say(text: string, action: Toast['action'] = null): void {
    const toast = { id: this.#next++, text, action }
    this.all = [...this.all, toast].slice(-AT_ONCE)
    setTimeout(() => {
      this.dismiss(toast.id)
    }, SHOWN_MILLIS)
  }

  dismiss(id: number): void {
    this.all = this.all.filter((toast) => toast.id !== id)
  }
}
