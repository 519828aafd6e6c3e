// Texts are requested together, once, and again after a failure.
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { RequestError } from '../../api/client'
import type { TextContent } from '../../api/text'
import { joined, rowLabel, Texts, widthOf } from './texts.svelte'

const content = (...strings: string[]): TextContent => ({ shape: [strings.length], strings, left_out: 0, error: null })

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

async function settled(millis = 10): Promise<void> {
  await vi.advanceTimersByTimeAsync(millis)
}

test('what is wanted at once is one request, and what an answer lacks is requested again', async () => {
  const asked: (readonly string[])[] = []
  const texts = new Texts({
    texts: (_instance, addresses) => {
      asked.push(addresses)
      return Promise.resolve(addresses.slice(0, 2).map((address) => content(address)))
    },
  })
  for (const address of ['a', 'b', 'c', 'a']) texts.want('i', address)
  await settled()
  expect(asked).toEqual([['a', 'b', 'c'], ['c']])
  expect(texts.of('i', 'c')?.strings).toEqual(['c'])
  texts.want('i', 'a')
  await settled()
  expect(asked).toHaveLength(2)
})

test('a failed request is a sentence, and is repeated by itself', async () => {
  let isDown = true
  const texts = new Texts({
    texts: (_instance, addresses) =>
      isDown ? Promise.reject(new Error('down')) : Promise.resolve(addresses.map((address) => content(address))),
  })
  texts.want('i', 'a')
  await settled()
  expect(texts.of('i', 'a')?.error).toBe('down')
  isDown = false
  await settled(60_000)
  expect(texts.of('i', 'a')?.error).toBeNull()
})

test('a request that is refused, or of a dashboard that was left, is not repeated', async () => {
  for (const isLeft of [false, true]) {
    let asked = 0
    const texts = new Texts({
      texts: () => {
        asked++
        return Promise.reject(isLeft ? new Error('down') : new RequestError(410, 'from before a restart'))
      },
    })
    texts.want('i', 'a')
    await settled()
    if (isLeft) texts.stop()
    await settled(60_000)
    expect(asked).toBe(1)
  }
})

test('old texts make room for new ones', async () => {
  const texts = new Texts({
    texts: (_instance, addresses) => Promise.resolve(addresses.map(() => content('x'.repeat(40 << 20)))),
  })
  for (const address of ['a', 'b']) {
    texts.want('i', address)
    await settled()
  }
  expect([texts.of('i', 'a') === undefined, texts.of('i', 'b') === undefined]).toEqual([true, false])
})

test('a table is lines of cells', () => {
  const table = { shape: [2, 2], strings: ['a', 'b', 'c', 'd\ne'], left_out: 0, error: null }
  expect(joined(table)).toBe('a | b\nc | d ⏎ e')
  expect(joined(content('a', 'b'))).toBe('a\nb')
  expect(joined(content('a'))).toBe('a')
  expect([[], [3], [3, 2], [2, 3, 4], [0, 0]].map(widthOf)).toEqual([1, 1, 2, 4, 1])
  expect(rowLabel([2, 3, 4], 5)).toBe('1, 2')
  expect(rowLabel([7], 5)).toBe('5')
})
