// Edits are shown at once, kept in order, and taken back when they are refused.
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { Board } from './board.svelte'
import { Curation, type Edit } from './curation.svelte'
import { FakeServer } from './fake-server'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

/** A server that stores titles of runs, and rejects them on request. */
class Keeper extends FakeServer {
  readonly sent: Edit[][] = []
  refusal: { error: string; status: number } | null = null
  readonly #titles = new Map<string, string>()

  constructor() {
    super()
    this.instead.set('curation', async (body) => {
      await new Promise((resolve) => setTimeout(resolve, 50))
      if (body === '') return undefined
      if (this.refusal !== null) return Response.json({ error: this.refusal.error }, { status: this.refusal.status })
      const { set } = JSON.parse(body) as { set: Edit[] }
      this.sent.push(set)
      for (const { key, value } of set) this.title(key[1] ?? '', value as string | null)
      return undefined
    })
  }

  title(run: string, title: string | null): void {
    if (title === null) this.#titles.delete(run)
    else this.#titles.set(run, title)
    this.curation.runs = [...this.#titles].map(([name, title]) => ({ name, title }))
    this.curation.revision = `${String(this.curation.revision)}+`
  }
}

async function open(server: FakeServer = new Keeper()): Promise<Curation> {
  const board = new Board(server.client)
  const curation = new Curation(server.client, board)
  board.resume()
  curation.load()
  await vi.advanceTimersByTimeAsync(100)
  await server.hello()
  return curation
}

function titled(run: string, value: string | null): Edit[] {
  return [{ key: ['run', run, 'title'], value }]
}

test('everything that people added is known', async () => {
  const server = new FakeServer()
  Object.assign(server.curation, {
    read_only: true,
    runs: [
      { name: 'a', title: 'A', colour: 'run-3', dash: 'dotted', pinned: true, tags: ['x', 'y'] },
      { name: 'b', trashed: true, tags: [] },
    ],
    cards: [
      { dashboard: 'scalars', tag: 'loss', pinned: true, better: 'lower' },
      { dashboard: 'scalars', tag: 'acc', pinned: false, better: 'higher' },
      { dashboard: 'images', tag: 'loss', pinned: true, better: null },
    ],
    views: [{ id: 'v', name: 'View', state: { x: 1 }, editor: 'her', time: 5 }],
    notes: [{ id: 'n', text: 'why', tag: 'loss', run: null, step: 3, editor: 'her', time: 5 }],
  })
  const curation = await open(server)
  expect(curation.of('a')).toEqual({ title: 'A', colour: 'run-3', dash: 'dotted', pinned: true, tags: ['x', 'y'] })
  expect([...curation.trashed]).toEqual(['b'])
  expect(curation.pinnedCards).toEqual(['scalars:loss', 'images:loss'])
  expect([...curation.better]).toEqual([
    ['loss', 'lower'],
    ['acc', 'higher'],
  ])
  expect(curation.views).toEqual([{ id: 'v', name: 'View', state: { x: 1 }, editor: 'her', time: 5 }])
  expect(curation.notes).toEqual([{ id: 'n', text: 'why', tag: 'loss', run: null, step: 3 }])
  expect(curation.isReadOnly).toBe(true)
})

test('an edit is shown before it is kept, and can be taken back', async () => {
  const server = new Keeper()
  server.title('a', 'before')
  const curation = await open(server)
  const edit = curation.edit(titled('a', 'after'))
  expect(curation.of('a').title).toBe('after')
  await vi.advanceTimersByTimeAsync(100)
  expect(server.sent).toEqual([titled('a', 'after')])
  const undone = (await edit).undo()
  expect(curation.of('a').title).toBe('before')
  await vi.advanceTimersByTimeAsync(100)
  await undone
  expect(server.sent[1]).toEqual(titled('a', 'before'))
})

test('what was not set is not set after undo', async () => {
  const server = new Keeper()
  const curation = await open(server)
  const edit = curation.edit(titled('a', 'new'))
  await vi.advanceTimersByTimeAsync(100)
  void (await edit).undo()
  await vi.advanceTimersByTimeAsync(100)
  expect(server.sent[1]).toEqual(titled('a', null))
  expect(curation.of('a')).toEqual({ tags: [] })
})

test.each([
  [400, 'a title has at most 200 characters'],
  [503, 'busy'],
])('a refusal (%d) takes the edit back and says why', async (status, error) => {
  const server = new Keeper()
  const curation = await open(server)
  server.refusal = { status, error }
  const edit = curation.edit(titled('a', 'long'))
  expect(curation.of('a').title).toBe('long')
  await vi.advanceTimersByTimeAsync(100)
  expect(curation.of('a').title).toBeUndefined()
  expect(curation.trouble).toBe(error)
  await (await edit).undo()
  server.refusal = null
  void curation.edit(titled('a', 'short'))
  await vi.advanceTimersByTimeAsync(100)
  expect([curation.trouble, server.sent]).toEqual([null, [titled('a', 'short')]])
})

test('edits that follow each other quickly are kept in order, and each stays shown', async () => {
  const server = new Keeper()
  const curation = await open(server)
  const shown: (string | undefined)[] = []
  for (const title of ['1', '2', '3']) {
    void curation.edit(titled('a', title))
    await vi.advanceTimersByTimeAsync(30)
    shown.push(curation.of('a').title)
  }
  await vi.advanceTimersByTimeAsync(500)
  expect(shown).toEqual(['1', '2', '3'])
  expect(server.sent.map(([edit]) => edit?.value)).toEqual(['1', '2', '3'])
  expect(curation.of('a').title).toBe('3')
})

test('what other people edit is shown, and own edits in between stay', async () => {
  const server = new Keeper()
  const curation = await open(server)
  void curation.edit(titled('a', 'mine'))
  server.title('b', 'hers')
  await server.send('curation', { revision: server.curation.revision as string })
  await vi.advanceTimersByTimeAsync(1_000)
  expect([curation.of('a').title, curation.of('b').title]).toEqual(['mine', 'hers'])
  const before = server.count('curation')
  await server.send('curation', { revision: server.curation.revision as string })
  await vi.advanceTimersByTimeAsync(1_000)
  expect(server.count('curation')).toBe(before)
})

test('an answer from before an edit does not take it off the screen', async () => {
  const server = new Keeper()
  const curation = await open(server)
  await vi.advanceTimersByTimeAsync(1_000)
  // A slow response: its content is of now, and it arrives later.
  const usual = server.instead.get('curation')
  let isSlow = true
  server.instead.set('curation', async (body, signal) => {
    if (body !== '' || !isSlow) return usual?.(body, signal)
    isSlow = false
    const answer = Response.json(server.curation)
    await new Promise((resolve) => setTimeout(resolve, 500))
    return answer
  })
  await server.send('curation', { revision: 'other' })
  await vi.advanceTimersByTimeAsync(100)
  void curation.edit(titled('a', 'mine'))
  await vi.advanceTimersByTimeAsync(450)
  expect(curation.of('a').title).toBe('mine')
  await vi.advanceTimersByTimeAsync(3_000)
  expect(curation.of('a').title).toBe('mine')
})
