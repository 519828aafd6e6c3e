// Something that is requested by a key: the old value stays until the next one is there.

export class Fetched<T> {
  value = $state.raw<T | null>(null)
  trouble = $state<string | null>(null)

  /** For the set-up of a component. `key` may read state; null for nothing. */
  constructor(key: () => string | null, load: (key: string, signal: AbortSignal) => Promise<T>) {
    const current = $derived(key())
    $effect(() => {
      const wanted = current
      if (wanted === null) {
        this.value = null
        this.trouble = null
        return
      }
      const control = new AbortController()
      load(wanted, control.signal).then(
        (value) => {
          if (control.signal.aborted) return
          this.value = value
          this.trouble = null
        },
        (error: unknown) => {
          if (control.signal.aborted) return
          this.value = null
          this.trouble = error instanceof Error ? error.message : 'the page failed'
        },
      )
      return () => {
        control.abort()
      }
    })
  }
}
