// Pointer, wheel and double click on an image: hover, pan, zoom, fit.
import type { Attachment } from 'svelte/attachments'
import { at, panned, placed, WHOLE, zoomed, type Size, type Zoom } from '../../media/place'

export interface Interaction {
  /** The true size of the image; null while it is not known. */
  readonly picture: () => Size | null
  readonly zoom: () => Zoom
  readonly setZoom: (zoom: Zoom) => void
  /** Parts of width and height under the pointer; null outside. */
  readonly hover: (part: readonly [number, number] | null) => void
}

const WHEEL = 0.002
// Below this, a press is a click.
const DRAG_PIXELS = 3

export function interactive({ picture, zoom, setZoom, hover }: Interaction): Attachment<HTMLElement> {
  return (element) => {
    let last: readonly [number, number] | null = null
    let moved = 0

    const point = (event: MouseEvent): readonly [number, number] => {
      const box = element.getBoundingClientRect()
      return [event.clientX - box.left, event.clientY - box.top]
    }
    const box = (): Size => ({ width: element.clientWidth, height: element.clientHeight })

    const move = (event: PointerEvent): void => {
      const size = picture()
      if (size === null) return
      const here = point(event)
      if (last !== null && zoom().scale !== null) {
        const by = [here[0] - last[0], here[1] - last[1]] as const
        moved += Math.hypot(...by)
        setZoom(panned(zoom(), by, box(), size))
        last = here
      }
      hover(at(here, placed(zoom(), box(), size)))
    }
    const down = (event: PointerEvent): void => {
      if (event.button !== 0 || zoom().scale === null) return
      last = point(event)
      moved = 0
      element.setPointerCapture(event.pointerId)
    }
    const up = (): void => {
      last = null
    }
    const leave = (): void => {
      if (last === null) hover(null)
    }
    const wheel = (event: WheelEvent): void => {
      const size = picture()
      // The page scrolls with the wheel alone.
      if (!event.altKey || size === null) return
      event.preventDefault()
      setZoom(zoomed(zoom(), Math.exp(-event.deltaY * WHEEL), point(event), box(), size))
    }
    const double = (): void => {
      setZoom(WHOLE)
    }
    const click = (event: MouseEvent): void => {
      if (moved <= DRAG_PIXELS) return
      moved = 0
      event.stopPropagation()
      event.preventDefault()
    }

    element.addEventListener('pointermove', move)
    element.addEventListener('pointerdown', down)
    element.addEventListener('pointerup', up)
    element.addEventListener('pointercancel', up)
    element.addEventListener('pointerleave', leave)
    element.addEventListener('wheel', wheel, { passive: false })
    element.addEventListener('dblclick', double)
    element.addEventListener('click', click, true)
    return () => {
      element.removeEventListener('pointermove', move)
      element.removeEventListener('pointerdown', down)
      element.removeEventListener('pointerup', up)
      element.removeEventListener('pointercancel', up)
      element.removeEventListener('pointerleave', leave)
      element.removeEventListener('wheel', wheel)
      element.removeEventListener('dblclick', double)
      element.removeEventListener('click', click, true)
    }
  }
}
