// Files that the browser keeps.

/** `train/loss` → `train_loss.csv`. */
export function fileName(title: string, ending: string): string {
  const plain = title
    .replace(/[^\p{L}\p{N}.=+-]+/gu, '_')
    .replace(/^_+|_+$/g, '')
    .slice(0, 100)
  return `${plain || 'chart'}.${ending}`
}

/** Offers the content as a download. */
export function save(content: Blob, name: string): void {
  const url = URL.createObjectURL(content)
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  // Some browsers start reading only after the click has been handled.
  setTimeout(() => {
    URL.revokeObjectURL(url)
  }, 10_000)
}
