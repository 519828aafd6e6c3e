// What is drawn around a mesh with ordinary strokes: the floor below it, and the directions of the axes.
import { onScreen, type Bounds, type Projection, type Up, type Vec3 } from './camera'

export interface Ink {
  readonly grid: string
  readonly ink: string
  readonly font: string
}

const LINES = 8

/** A grid below the mesh, drawn before it. */
export function drawFloor(
  context: CanvasRenderingContext2D,
  projection: Projection,
  bounds: Bounds,
  up: Up,
  { grid }: Ink,
): void {
  const [first, second, axis] = up === 'z' ? ([0, 1, 2] as const) : ([2, 0, 1] as const)
  const at = (one: number, other: number): Vec3 => {
    const place: [number, number, number] = [0, 0, 0]
    place[first] = bounds.low[first] + one * (bounds.high[first] - bounds.low[first])
    place[second] = bounds.low[second] + other * (bounds.high[second] - bounds.low[second])
    place[axis] = bounds.low[axis]
    return place
  }
  context.strokeStyle = grid
  context.lineWidth = projection.ratio
  context.beginPath()
  for (let line = 0; line <= LINES; line++) {
    const part = line / LINES
    for (const [from, to] of [
      [at(part, 0), at(part, 1)],
      [at(0, part), at(1, part)],
    ] as const) {
      const [a, b] = [onScreen(projection, ...from), onScreen(projection, ...to)]
      if (a === null || b === null) continue
      context.moveTo(a[0], a[1])
      context.lineTo(b[0], b[1])
    }
  }
  context.stroke()
}

const ARM = 14
const LETTER = 8
const INSET = 28
// In CSS pixels: smaller pictures have smaller axes.
const ROOMY = 220
const SMALLEST = 0.7

/** The axes in the lower left corner, each with its letter. */
export function drawAxes(context: CanvasRenderingContext2D, projection: Projection, ink: Ink): void {
  const { right, up, height } = projection
  const ratio = projection.ratio * Math.min(1, Math.max(SMALLEST, height / projection.ratio / ROOMY))
  const [x, y] = [INSET * ratio, height - INSET * ratio]
  context.strokeStyle = ink.ink
  context.fillStyle = ink.ink
  context.lineWidth = ratio
  context.font = `${String(11 * ratio)}px ${ink.font}`
  context.textAlign = 'center'
  context.textBaseline = 'middle'
  for (const [axis, letter] of ['x', 'y', 'z'].entries()) {
    const [along, above] = [(right[axis] ?? 0) * ARM * ratio, (up[axis] ?? 0) * ARM * ratio]
    const size = Math.hypot(along, above)
    context.beginPath()
    context.moveTo(x, y)
    context.lineTo(x + along, y - above)
    context.stroke()
    // One that points at the viewer has no room for its letter.
    if (size < 2 * ratio) continue
    const beyond = 1 + (LETTER * ratio) / size
    context.fillText(letter, x + along * beyond, y - above * beyond)
  }
}
