// The texts on the screen: one request for all that are wanted at once, kept as long as there is room.
import { SvelteMap } from 'svelte/reactivity'
import type { Client } from '../../api/client'
import type { TextContent } from '../../api/text'

// Together; what was read long ago is dropped first.
const MOST_CHARACTERS = 64 << 20
const AT_ONCE = 500

export class Texts {
  readonly #client: Pick<Client, 'texts'>
  readonly #known = new SvelteMap<string, TextContent>()
  /** By instance, as addresses of two servers may be alike. */
  readonly #wanted = new Map<string, Set<string>>()
  /** What failed for now, and is requested again when it is next wanted. */
  readonly #failed = new Set<string>()
  #characters = 0
  #isReading = false

  constructor(client: Pick<Client, 'texts'>) {
    this.#client = client
  }

  /** Undefined until it is read. */
  of(instance: string, address: string): TextContent | undefined {
    return this.#known.get(`${instance}/${address}`)
  }

  /** For an effect, which is not to depend on what is known. */
  want(instance: string, address: string): void {
    const key = `${instance}/${address}`
    if (this.#known.has(key) && !this.#failed.has(key)) return
    const wanted = this.#wanted.get(instance) ?? new Set()
    this.#wanted.set(instance, wanted.add(address))
    if (this.#isReading) return
    this.#isReading = true
    // What else is wanted in this moment comes with it.
    queueMicrotask(() => void this.#read())
  }

  async #read(): Promise<void> {
    for (let next = this.#wanted.entries().next(); next.done !== true; next = this.#wanted.entries().next()) {
      const [instance, wanted] = next.value
      const addresses = [...wanted].slice(0, AT_ONCE)
      let contents: readonly TextContent[]
      let isFailure = false
      try {
        contents = await this.#client.texts(instance, addresses)
      } catch (error) {
        isFailure = true
        const sentence = error instanceof Error ? error.message : 'it could not be loaded'
        contents = addresses.map(() => ({ shape: null, strings: null, left_out: 0, error: sentence }))
      }
      // A server that answers nothing at all would be asked for ever.
      if (contents.length === 0)
        contents = addresses.map(() => ({ shape: null, strings: null, left_out: 0, error: '' }))
      contents.forEach((content, at) => {
        const address = addresses[at] ?? ''
        wanted.delete(address)
        this.#keep(`${instance}/${address}`, content, isFailure)
      })
      if (wanted.size === 0) this.#wanted.delete(instance)
    }
    this.#isReading = false
  }

  #keep(key: string, content: TextContent, isFailure: boolean): void {
    if (isFailure) this.#failed.add(key)
    else this.#failed.delete(key)
    this.#known.set(key, content)
    this.#characters += sizeOf(content)
    for (const [old, { strings }] of this.#known) {
      if (this.#characters <= MOST_CHARACTERS || old === key) return
      this.#characters -= sizeOf({ strings })
      this.#known.delete(old)
    }
  }
}

function sizeOf({ strings }: Pick<TextContent, 'strings'>): number {
  return (strings ?? []).reduce((sum, { length }) => sum + length, 100)
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
