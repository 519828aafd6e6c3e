// As much of a page as a chart needs, for tests: elements with a size, canvases that draw nothing, frames that come when called for.

const WIDTH = 400
const HEIGHT = 240

class FakeElement extends EventTarget {
  readonly style: Record<string, string> = {}
  readonly dataset: Record<string, string> = {}
  readonly clientWidth = WIDTH
  readonly clientHeight = HEIGHT
  parentElement: FakeElement | null = null
  textContent = ''
  tabIndex = -1
  width = 0
  height = 0
  readonly #attributes = new Map<string, string>()

  append(...children: FakeElement[]): void {
    for (const child of children) child.parentElement = this
  }

  prepend(...children: FakeElement[]): void {
    this.append(...children)
  }

  remove(): void {
    this.parentElement = null
  }

  setAttribute(name: string, value: string): void {
    this.#attributes.set(name, value)
  }

  getAttribute(name: string): string | null {
    return this.#attributes.get(name) ?? null
  }

  hasAttribute(name: string): boolean {
    return this.#attributes.has(name)
  }

  removeAttribute(name: string): void {
    this.#attributes.delete(name)
  }

  setPointerCapture(): void {
    return
  }

  getBoundingClientRect(): { left: number; top: number; right: number; bottom: number } {
    return { left: 0, top: 0, right: WIDTH, bottom: HEIGHT }
  }

  getContext(): unknown {
    const context = { measureText: (text: string) => ({ width: 6 * text.length }) }
    return new Proxy(context, { get: (target, name) => (Reflect.get(target, name) as unknown) ?? (() => undefined) })
  }
}

class FakePath {
  moveTo(): void {
    return
  }
  lineTo(): void {
    return
  }
  arc(): void {
    return
  }
  closePath(): void {
    return
  }
}

export interface FakeDom {
  readonly host: HTMLElement
  /** Runs one animation frame; false if none was requested. */
  frame(): boolean
  /** A pointer event at a place of the host. */
  pointer(kind: 'down' | 'move' | 'up' | 'leave', x: number, y: number): void
}

/** `define` puts a global in place, as `vi.stubGlobal` does. */
export function fakeDom(define: (name: string, value: unknown) => void): FakeDom {
  const waiting: (() => void)[] = []
  const page = new EventTarget()
  const host = new FakeElement()
  define('window', Object.assign(page, { devicePixelRatio: 1, innerHeight: 900 }))
  define('document', { createElement: () => new FakeElement(), fonts: { status: 'loaded' } })
  define('Path2D', FakePath)
  define('requestAnimationFrame', (callback: () => void) => waiting.push(callback))
  define(
    'ResizeObserver',
    class {
      readonly #report: () => void
      constructor(report: () => void) {
        this.#report = report
      }
      observe(): void {
        this.#report()
      }
      disconnect(): void {
        return
      }
    },
  )
  return {
    host: host as unknown as HTMLElement,
    frame: () => {
      const due = waiting.splice(0)
      for (const callback of due) callback()
      return due.length > 0
    },
    pointer: (kind, x, y) => {
      const event = new Event(`pointer${kind}`, { cancelable: true })
      host.dispatchEvent(
        Object.assign(event, { clientX: x, clientY: y, button: 0, pointerId: 1, pointerType: 'mouse' }),
      )
    },
  }
}
