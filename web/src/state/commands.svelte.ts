// Everything that can be done by name or key: palette and key sheet are made from this list.

export interface Command {
  /** `scalars.log-y` */
  readonly id: string
  readonly title: string
  /** `g s`, `Shift+ArrowLeft`, `$mod+k`; none for palette only. */
  readonly keys?: readonly string[]
  readonly section: string
  run(): void
  /** Whether it makes sense now. */
  isEnabled?(): boolean
}

export class Commands {
  all = $state.raw<readonly Command[]>([])

  /** Until the returned function is called. */
  add(commands: readonly Command[]): () => void {
    this.all = [...this.all, ...commands]
    return () => {
      this.all = this.all.filter((command) => !commands.includes(command))
    }
  }

  /** Does what has this id, if anything has and it makes sense now. */
  run(id: string): void {
    const command = this.all.find((other) => other.id === id)
    if (command !== undefined && isEnabled(command)) command.run()
  }
}

export function isEnabled(command: Command): boolean {
  return command.isEnabled?.() ?? true
}
