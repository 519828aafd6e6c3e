// The text of a stream of server-sent events, in whatever pieces it comes, taken apart into events.

export interface ServerEvent {
  readonly name: string
  readonly data: string
  /** The last id up to here; it stays in force for the events after it. */
  readonly id: string
}

/** Takes pieces of text and gives back the events that are complete by then. */
export class EventParser {
  #rest = ''
  #name = ''
  #data: string[] = []
  #id = ''

  push(piece: string): ServerEvent[] {
    // A line ends with LF, CR or both; a CR at the end may be half of a pair.
    const lines = (this.#rest + piece).split(/\r\n|\n|\r(?!$)/)
    this.#rest = lines.pop() ?? ''
    return lines.flatMap((line) => (line === '' ? this.#dispatch() : this.#field(line)))
  }

  #dispatch(): ServerEvent[] {
    const event = { name: this.#name || 'message', data: this.#data.join('\n'), id: this.#id }
    const isEmpty = this.#data.length === 0
    this.#name = ''
    this.#data = []
    return isEmpty ? [] : [event]
  }

  #field(line: string): [] {
    const colon = line.indexOf(':')
    const field = colon < 0 ? line : line.slice(0, colon)
    const value = colon < 0 ? '' : line.slice(colon + 1).replace(/^ /, '')
    if (field === 'event') this.#name = value
    else if (field === 'data') this.#data.push(value)
    else if (field === 'id' && !value.includes('\0')) this.#id = value
    return []
  }
}
