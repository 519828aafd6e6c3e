// Each thing once, several with one request, nothing that is not wanted any more.
import { expect, test, vi } from 'vitest'
import { Loader } from './loader'

function loader(answer: (wishes: readonly string[], signal: AbortSignal) => Promise<readonly string[]>, most = 100) {
  const load = vi.fn(answer)
  const made = new Loader<string, string>({
    keyOf: (wish) => wish,
    groupOf: (wish) => wish.slice(0, 1),
    batch: 3,
    parallel: 1,
    load,
    failed: (error) => (error instanceof Error ? `failed: ${error.message}` : 'failed'),
    weightOf: (result) => result.length,
    most,
  })
  const get = (wish: string): Promise<string> => new Promise((resolve) => made.request(wish, resolve))
  return { made, load, get }
}

const loud = (wishes: readonly string[]): Promise<readonly string[]> =>
  Promise.resolve(wishes.map((wish) => wish.toUpperCase()))

test('what is wished together is one request, what is the same is loaded once', async () => {
  const { load, get } = loader(loud)
  expect(await Promise.all(['a1', 'a2', 'a1', 'b1', 'a3', 'a4'].map(get))).toEqual(['A1', 'A2', 'A1', 'B1', 'A3', 'A4'])
  expect(load.mock.calls.map(([wishes]) => wishes)).toEqual([['a1', 'a2', 'a3'], ['b1'], ['a4']])
  expect(await get('a2')).toBe('A2')
  expect(load).toHaveBeenCalledTimes(3)
})

test('what is not wanted any more is not requested, and a request that nobody waits for is given up', async () => {
  let given: AbortSignal | undefined
  const { made, load } = loader((_, signal) => {
    given = signal
    return new Promise((_resolve, reject) => {
      signal.addEventListener('abort', () => {
        reject(new Error('aborted'))
      })
    })
  })
  const take = vi.fn()
  const first = made.request('a1', take)
  const second = made.request('a2', take)
  first()
  await vi.waitFor(() => {
    expect(load.mock.calls.map(([wishes]) => wishes)).toEqual([['a2']])
  })
  second()
  expect(given?.aborted).toBe(true)
  expect(take).not.toHaveBeenCalled()
})

test('answers that are cut short are asked for again, and empty ones are failures', async () => {
  const { load, get } = loader((wishes) => loud(wishes.slice(0, 1)))
  expect(await Promise.all(['a1', 'a2'].map(get))).toEqual(['A1', 'A2'])
  expect(load).toHaveBeenCalledTimes(2)
  expect(await loader(() => Promise.resolve([])).get('x')).toBe('failed: the server sent no answer')
})

test('failures are given and not kept, and old results make room', async () => {
  let isDown = true
  const { made, load, get } = loader((wishes) => (isDown ? Promise.reject(new Error('down')) : loud(wishes)), 4)
  expect(await get('a1')).toBe('failed: down')
  isDown = false
  expect(await get('a1')).toBe('A1')
  await get('a2')
  await get('a1')
  await get('a3')
  expect([made.known('a1'), made.known('a2'), made.known('a3')]).toEqual(['A1', undefined, 'A3'])
  expect(load).toHaveBeenCalledTimes(4)
})
