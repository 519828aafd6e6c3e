// The texts on the screen: one request for all that are wanted at once, kept as long as there is room.
import { untrack } from 'svelte'
import { SvelteMap } from 'svelte/reactivity'
import { RequestError, type Client } from '../../api/client'
import type { TextContent } from '../../api/text'
import { Repeat } from '../../state/repeat'

// Together; what was read long ago is dropped first.
const MOST_CHARACTERS = 64 << 20
const AT_ONCE = 500

export class Texts {
  readonly #client: Pick<Client, 'texts'>
  readonly #known = new SvelteMap<string, TextContent>()
  /** By instance, as addresses of two servers may be alike. */
  readonly #wanted = new Map<string, Set<string>>()
  /** What failed for now is requested again by itself. */
  readonly #refresh = new Repeat(
    () => this.#read(),
    0,
    () => undefined,
    0,
  )
  #characters = 0

  constructor(client: Pick<Client, 'texts'>) {
    this.#client = client
  }

  /** Undefined until it is read. */
  of(instance: string, address: string): TextContent | undefined {
    return this.#known.get(`${instance}/${address}`)
  }

  /** Reads it, unless it is known. */
  want(instance: string, address: string): void {
    untrack(() => {
      if (this.#known.has(`${instance}/${address}`)) return
      const wanted = this.#wanted.get(instance) ?? new Set()
      this.#wanted.set(instance, wanted.add(address))
      this.#refresh.want()
    })
  }

  /** Requests nothing more; for a dashboard that is left. */
  stop(): void {
    this.#wanted.clear()
    this.#refresh.cancel()
  }

  async #read(): Promise<void> {
    for (;;) {
      const [first] = this.#wanted
      if (first === undefined) return
      const [instance, wanted] = first
      const addresses = [...wanted].slice(0, AT_ONCE)
      try {
        const contents = await this.#client.texts(instance, addresses)
        // A server that answers nothing at all would be asked for ever.
        const answered = contents.length === 0 ? addresses.map(() => unreadable('the server sent no text')) : contents
        answered.forEach((content, at) => {
          const address = addresses[at] ?? ''
          wanted.delete(address)
          this.#keep(`${instance}/${address}`, content)
        })
      } catch (error) {
        const sentence = error instanceof Error ? error.message : 'it could not be loaded'
        for (const address of addresses) this.#keep(`${instance}/${address}`, unreadable(sentence))
        const isRefused = error instanceof RequestError && error.status >= 400 && error.status < 500
        if (!isRefused) throw error
        for (const address of addresses) wanted.delete(address)
      }
      if (wanted.size === 0) this.#wanted.delete(instance)
    }
  }

  #keep(key: string, content: TextContent): void {
    this.#characters += sizeOf(content) - sizeOf(this.#known.get(key) ?? unreadable(''))
    this.#known.set(key, content)
    for (const [old, other] of this.#known) {
      if (this.#characters <= MOST_CHARACTERS || old === key) return
      this.#characters -= sizeOf(other)
      this.#known.delete(old)
    }
  }
}

function unreadable(error: string): TextContent {
  return { shape: null, strings: null, left_out: 0, error }
}

function sizeOf({ strings }: Pick<TextContent, 'strings'>): number {
  return (strings ?? []).reduce((sum, { length }) => sum + length, 0)
}

/** All strings as one text: rows are lines, and cells are separated by bars. */
export function joined({ shape, strings }: TextContent): string {
  const all = strings ?? []
  if (all.length === 1) return all[0] ?? ''
  const width = widthOf(shape)
  const cell = (text: string): string => (width === 1 ? text : text.replaceAll('\n', ' ⏎ '))
  const rows = Array.from({ length: Math.ceil(all.length / width) }, (_, row) =>
    all
      .slice(row * width, (row + 1) * width)
      .map(cell)
      .join(' | '),
  )
  return rows.join('\n')
}

/** Cells of a row: a list is a column, as TensorBoard has it. */
export function widthOf(shape: readonly number[] | null): number {
  return shape === null || shape.length < 2 ? 1 : Math.max(1, shape.at(-1) ?? 1)
}

/** What a row is called: its indices on all axes but the last, which has the columns. */
export function rowLabel(shape: readonly number[] | null, row: number): string {
  const axes = (shape ?? []).slice(0, shape !== null && shape.length > 1 ? -1 : undefined)
  const indices: number[] = []
  let rest = row
  for (const size of [...axes].reverse()) {
    indices.unshift(rest % Math.max(1, size))
    rest = Math.floor(rest / Math.max(1, size))
  }
  return indices.join(', ')
}
