// Everything that can be done by name or key: palette and key sheet are made from this list.

export interface Command {
  /** `scalars.log-y` */
  readonly id: string
  readonly title: string
  /** Other words that the palette finds it by. */
  readonly keywords?: string
  /** `g s`, `Shift+ArrowLeft`, `$mod+k`; none for palette only. */
  readonly keys?: readonly string[]
  readonly section: string
  run(): void
  /** Whether it applies now. */
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

  /** Runs the command with this id, if there is one and it is enabled. */
  run(id: string): void {
    const command = this.all.find((other) => other.id === id)
    if (command !== undefined && isEnabled(command)) command.run()
  }
}

export function isEnabled(command: Command): boolean {
  return command.isEnabled?.() ?? true
}
