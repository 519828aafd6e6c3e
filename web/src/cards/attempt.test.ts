// What fails is said, and copying works where browsers do not trust the page.
import { afterEach, expect, test, vi } from 'vitest'
import { attempt, copied } from './attempt'

afterEach(() => {
  vi.unstubAllGlobals()
})

function listener(): { said: string[]; say: (text: string) => void } {
  const said: string[] = []
  return {
    said,
    say: (text) => {
      said.push(text)
    },
  }
}

test.each([
  [
    'at once',
    () => {
      throw new Error('no canvas')
    },
  ],
  ['later', () => Promise.reject(new Error('no canvas'))],
])('what fails %s is said', async (_, act) => {
  const toasts = listener()
  attempt(toasts, act)()
  await vi.waitFor(() => {
    expect(toasts.said).toEqual(['no canvas'])
  })
})

test('copying falls back on the old way on a page that came over plain HTTP', async () => {
  const field = { select: () => undefined, remove: () => undefined }
  vi.stubGlobal('navigator', {})
  vi.stubGlobal('HTMLElement', Object)
  vi.stubGlobal('document', {
    createElement: () => field,
    querySelector: () => null,
    body: { append: () => undefined },
    execCommand: () => true,
  })
  const toasts = listener()
  await copied(toasts, 'step,loss', 'the table')
  expect(toasts.said).toEqual(['Copied the table.'])
})
