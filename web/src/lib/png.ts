// A canvas as a PNG file, made at once.

/** `toBlob` waits for idle moments, of which a page that draws points as they come may have none for many seconds. */
export function pngOf(canvas: HTMLCanvasElement): Blob {
  const encoded = canvas.toDataURL('image/png').split(',')[1] ?? ''
  if (encoded === '') throw new Error('The picture is too large for the browser to export.')
  return new Blob([Uint8Array.from(atob(encoded), (char) => char.charCodeAt(0))], { type: 'image/png' })
}
