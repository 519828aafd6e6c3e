// Dragging along the axis under a chart chooses a range of steps.
import type { LineChartApi } from '../../charts/line/types'
import type { Card } from './card.svelte'

const LEAST_DRAG = 4

/** Until the returned function is called; `pressed` is notified of every pointerdown on the chart. */
export function dragAxis(
  host: HTMLElement,
  chart: LineChartApi,
  card: Card,
  pressed: (event: PointerEvent) => void,
): () => void {
  let from: number | null = null
  let startX = 0

  const stepAt = (event: PointerEvent): number | null => chart.xAt(event.clientX - host.getBoundingClientRect().left)
  const isOnAxis = (event: PointerEvent): boolean =>
    event.clientY > host.getBoundingClientRect().top + chart.area.bottom

  const down = (event: PointerEvent): void => {
    pressed(event)
    if (event.button !== 0 || card.kind !== 'step' || !isOnAxis(event)) return
    from = stepAt(event)
    startX = event.clientX
    host.setPointerCapture(event.pointerId)
    event.stopPropagation()
  }
  const move = (event: PointerEvent): void => {
    host.classList.toggle('on-axis', card.kind === 'step' && isOnAxis(event))
    if (from === null) return
    event.stopPropagation()
    const to = stepAt(event)
    if (to !== null && Math.abs(event.clientX - startX) >= LEAST_DRAG) card.select(from, to)
  }
  const up = (event: PointerEvent): void => {
    if (from === null) return
    from = null
    event.stopPropagation()
  }

  // Before the chart receives it: there a drag zooms.
  const options = { capture: true }
  host.addEventListener('pointerdown', down, options)
  host.addEventListener('pointermove', move, options)
  host.addEventListener('pointerup', up, options)
  host.addEventListener('pointercancel', up, options)
  return () => {
    host.removeEventListener('pointerdown', down, options)
    host.removeEventListener('pointermove', move, options)
    host.removeEventListener('pointerup', up, options)
    host.removeEventListener('pointercancel', up, options)
  }
}
