// Questions go below the page's own address, and what comes back is checked.
import { expect, test } from 'vitest'
import { client, RequestError, type Ask } from './client'

const PAGE = { change: 3, matched: 0, total: 0, next: null, runs: [] }

function answering(response: () => Response): { ask: Ask; asked: string[] } {
  const asked: string[] = []
  const ask: Ask = (url) => {
    asked.push(url.href)
    return Promise.resolve(response())
  }
  return { ask, asked }
}

test.each([
  ['http://x/', 'http://x/api/v1/runs?limit=5'],
  ['http://x/a/b/c/', 'http://x/a/b/c/api/v1/runs?limit=5'],
  ['http://x/a/b/c/index.html?x=1#runs', 'http://x/a/b/c/api/v1/runs?limit=5'],
])('from %s it asks %s', async (page, url) => {
  const { ask, asked } = answering(() => Response.json(PAGE))
  const here = client(page, ask)
  expect(await here.runs({ limit: 5 })).toEqual(PAGE)
  expect(asked).toEqual([url])
  expect(here.liveUrl.href).toBe(url.replace('runs?limit=5', 'live'))
})

test.each([
  [() => Response.json({ error: 'too much at once' }, { status: 503 }), 503, 'too much at once'],
  [() => Response.json({ detail: 1 }, { status: 400 }), 400, 'HTTP 400'],
  [() => new Response('<html>', { status: 502 }), 502, 'something else answers instead of the server: HTTP 502'],
  [() => { throw new TypeError('network') }, 0, 'the server does not answer'],
])('a failure is told with its status (%#)', async (response, status, message) => {
  const ask: Ask = async () => { await Promise.resolve(); return response() }
  const failure = await client('http://x/', ask).runs({ limit: 5 }).catch((error: unknown) => error)
  expect(failure).toBeInstanceOf(RequestError)
  expect(failure).toMatchObject({ status, message })
})

test('an answer of another shape is refused', async () => {
  const { ask } = answering(() => Response.json({ ...PAGE, matched: 'many' }))
  await expect(client('http://x/', ask).runs({ limit: 5 })).rejects.toThrow('runs.matched is string, not a number')
})
