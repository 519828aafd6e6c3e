// Where a picture is drawn in its box, and which of its pixels is under a point.

export interface Size {
  readonly width: number
  readonly height: number
}

/** The same for pictures of any size, so that cells can share it. */
export interface Zoom {
  /** Pixels of the page for a pixel of the picture; null for all of it. */
  readonly scale: number | null
  /** What is in the centre, as parts of width and height. */
  readonly x: number
  readonly y: number
}

export interface Rect extends Size {
  readonly left: number
  readonly top: number
}

export const WHOLE: Zoom = { scale: null, x: 0.5, y: 0.5 }
const MIN_SCALE = 1 / 64
const MAX_SCALE = 64

/** The scale at which all of a picture is seen. */
export function fitting(box: Size, picture: Size): number {
  return Math.min(box.width / picture.width, box.height / picture.height)
}

export function scaleOf(zoom: Zoom, box: Size, picture: Size): number {
  return zoom.scale ?? fitting(box, picture)
}

/** Where the whole picture is, in pixels of the box; much of it may be outside. */
export function placed(zoom: Zoom, box: Size, picture: Size): Rect {
  const scale = scaleOf(zoom, box, picture)
  const [width, height] = [picture.width * scale, picture.height * scale]
  return {
    left: offset(zoom.x, width, box.width),
    top: offset(zoom.y, height, box.height),
    width,
    height,
  }
}

/** What is smaller than the box is in its centre; what is larger covers it. */
function offset(centre: number, length: number, room: number): number {
  if (length <= room) return (room - length) / 2
  return Math.min(0, Math.max(room - length, room / 2 - centre * length))
}

/** Parts of width and height of the picture at a point of the box; null outside of it. */
export function at(point: readonly [number, number], rect: Rect): readonly [number, number] | null {
  const [x, y] = [(point[0] - rect.left) / rect.width, (point[1] - rect.top) / rect.height]
  return x >= 0 && x < 1 && y >= 0 && y < 1 ? [x, y] : null
}

/** The pixel at parts of width and height. */
export function pixelAt([x, y]: readonly [number, number], picture: Size): readonly [number, number] {
  const place = (part: number, length: number): number => Math.max(0, Math.min(length - 1, Math.floor(part * length)))
  return [place(x, picture.width), place(y, picture.height)]
}

/** The part of the picture that is seen, as parts of width and height; null if that is all of it. */
export function seen(zoom: Zoom, box: Size, picture: Size): Rect | null {
  const rect = placed(zoom, box, picture)
  if (rect.width <= box.width + 0.5 && rect.height <= box.height + 0.5) return null
  const [width, height] = [Math.min(1, box.width / rect.width), Math.min(1, box.height / rect.height)]
  return { left: Math.max(0, -rect.left / rect.width), top: Math.max(0, -rect.top / rect.height), width, height }
}

/** Enlarged by a factor around a point of the box, which stays where it is. */
export function zoomed(zoom: Zoom, factor: number, point: readonly [number, number], box: Size, picture: Size): Zoom {
  const before = placed(zoom, box, picture)
  const fit = fitting(box, picture)
  const scale = Math.min(MAX_SCALE, Math.max(Math.min(fit, MIN_SCALE), scaleOf(zoom, box, picture) * factor))
  // Beyond the whole there is nothing to see.
  if (scale <= fit) return WHOLE
  const part = (which: 0 | 1, start: number, length: number, pixels: number, room: number): number => {
    const held = (point[which] - start) / length
    return clamped(held - (point[which] - room / 2) / (pixels * scale))
  }
  return {
    scale,
    x: part(0, before.left, before.width, picture.width, box.width),
    y: part(1, before.top, before.height, picture.height, box.height),
  }
}

/** Moved by pixels of the page. */
export function panned(zoom: Zoom, by: readonly [number, number], box: Size, picture: Size): Zoom {
  const rect = placed(zoom, box, picture)
  const centre = (move: number, start: number, length: number, room: number): number =>
    length <= room ? 0.5 : clamped((room / 2 - offsetWithin(start + move, length, room)) / length)
  return {
    scale: zoom.scale,
    x: centre(by[0], rect.left, rect.width, box.width),
    y: centre(by[1], rect.top, rect.height, box.height),
  }
}

function offsetWithin(start: number, length: number, room: number): number {
  return Math.min(0, Math.max(room - length, start))
}

function clamped(part: number): number {
  return Math.min(1, Math.max(0, part))
}
