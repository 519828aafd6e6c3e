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
  [() => new Response('<html>', { status: 502 }), 502, 'unexpected response (HTTP 502), perhaps from a proxy'],
  [
    () => {
      throw new TypeError('network')
    },
    0,
    'the server is not responding',
  ],
])('a failure is reported with its status (%#)', async (response, status, message) => {
  const ask: Ask = async () => {
    await Promise.resolve()
    return response()
  }
  const failure = await client('http://x/', ask)
    .runs({ limit: 5 })
    .catch((error: unknown) => error)
  expect(failure).toBeInstanceOf(RequestError)
  expect(failure).toMatchObject({ status, message })
})

test('an answer of another shape is refused', async () => {
  const { ask } = answering(() => Response.json({ ...PAGE, matched: 'many' }))
  await expect(client('http://x/', ask).runs({ limit: 5 })).rejects.toThrow('runs.matched is string, not a number')
})

test('questions are put as the server takes them', async () => {
  const asked: [method: string, path: string, body: unknown][] = []
  const here = client('http://x/', (url, { method = 'GET', body }) => {
    asked.push([
      method,
      url.pathname.slice('/api/v1/'.length) + url.search,
      typeof body === 'string' ? JSON.parse(body) : undefined,
    ])
    return Promise.resolve(Response.json({ error: 'no' }, { status: 400 }))
  })
  const card = { tag: 'loss', runs: ['a'] }
  const asks = [
    here.runs({ limit: 9, sort: 'change', after: 'x y' }),
    here.tags({ limit: 9, dashboard: 'images' }),
    here.hparams({ limit: 9 }),
    here.restarts(['a/b', 'c&d']),
    here.damage({ limit: 9, after: null }),
    here.edit([{ key: ['run', 'a', 'title'], value: 'A' }]),
    here.summary({ tags: ['loss'], runs: null }),
    here.export({ cards: [card], format: 'csv' }),
  ]
  expect((await Promise.allSettled(asks)).map(({ status }) => status)).toEqual(asks.map(() => 'rejected'))
  expect(asked).toEqual([
    ['GET', 'runs?sort=change&order=desc&limit=9&after=x+y', undefined],
    ['GET', 'tags?dashboard=images&limit=9', undefined],
    ['GET', 'hparams?limit=9', undefined],
    ['GET', 'restarts?run=a%2Fb&run=c%26d', undefined],
    ['GET', 'damage?limit=9', undefined],
    ['PATCH', 'curation', { set: [{ key: ['run', 'a', 'title'], value: 'A' }] }],
    ['POST', 'scalars/summary', { tags: ['loss'], runs: null }],
    ['POST', 'scalars/export', { cards: [card], format: 'csv' }],
  ])
  expect(here.downloadUrl('a b', 'loss', 'csv').href).toBe(
    'http://x/api/v1/scalars/download?run=a+b&tag=loss&format=csv',
  )
})

test('what is exported comes as it was sent', async () => {
  const { ask } = answering(() => new Response('run,tag,step,wall_time,value\n'))
  const blob = await client('http://x/', ask).export({ cards: [], format: 'csv' })
  expect(await blob.text()).toBe('run,tag,step,wall_time,value\n')
})
