// Cards get their lines with as few questions as will do, and only new points of lines that grow.
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { Board } from './board.svelte'
import { FakeServer } from './fake-server'
import { Lines, type LineRequest, type Loaded, type Watch } from './lines.svelte'

const REQUEST: LineRequest = {
  source: { tag: 'loss' },
  runs: ['a', 'b'],
  groups: null,
  x: 'step',
  range: null,
  columns: 400,
  smoothing: 'none',
  bootstrap: null,
}

interface Card {
  readonly watch: Watch
  readonly received: Loaded[]
  /** What it received last. */
  now(): Loaded
}

class Screen {
  readonly board: Board
  readonly lines: Lines

  constructor(readonly server: FakeServer) {
    this.board = new Board(server.client)
    this.lines = new Lines(server.client, this.board)
  }

  async open(): Promise<void> {
    this.board.resume()
    await vi.advanceTimersByTimeAsync(0)
    await this.server.hello()
  }

  card(...asks: LineRequest[]): Card {
    const received: Loaded[] = []
    const watch = this.lines.watch((loaded) => {
      received.push(loaded)
    })
    watch.ask(asks)
    return {
      watch,
      received,
      now: () => {
        const last = received.at(-1)
        if (last === undefined) throw new Error('nothing was received')
        return last
      },
    }
  }
}

async function settle(millis = 1_000): Promise<void> {
  await vi.advanceTimersByTimeAsync(millis)
}

function lengths({ lines }: Loaded): Record<string, number> {
  return Object.fromEntries(
    lines.map(({ run, data }) => [run, data.kind === 'points' ? data.x.length : data.xFirst.length]),
  )
}

async function opened(points = 10): Promise<Screen> {
  const server = new FakeServer()
  for (const run of ['a', 'b', 'c']) server.add(run, { loss: points, acc: points })
  const screen = new Screen(server)
  await screen.open()
  return screen
}

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

test('all cards are asked for with one question', async () => {
  const screen = await opened()
  const cards = [
    screen.card(REQUEST),
    screen.card({ ...REQUEST, source: { tag: 'acc' } }),
    screen.card({ ...REQUEST, runs: ['b', 'c'] }),
  ]
  const answered = vi.fn()
  void screen.lines.answered.then(answered)
  expect(answered).not.toHaveBeenCalled()
  await settle()
  expect(answered).toHaveBeenCalledTimes(1)
  expect(screen.server.questions).toHaveLength(1)
  expect(screen.server.questions[0]?.cards.map(({ tag, runs }) => [tag, runs])).toEqual([
    ['loss', ['a', 'b', 'c']],
    ['acc', ['a', 'b']],
  ])
  expect(cards.map((card) => lengths(card.now()))).toEqual([
    { a: 10, b: 10 },
    { a: 10, b: 10 },
    { b: 10, c: 10 },
  ])
  expect(cards[0]?.now()).toMatchObject({ isCurrent: true, ratio: 1, trouble: null })
})

test('of a line that grows only the new points are sent, and the others stay', async () => {
  const screen = await opened()
  const card = screen.card({ ...REQUEST, smoothing: 'ema:0.6' })
  await settle()
  const quiet = card.now().lines[1]
  for (let n = 0; n < 3; n++) {
    screen.server.log('a', 'loss', 5)
    await screen.server.changed(['a'])
    await settle()
  }
  const { questions } = screen.server
  expect(questions).toHaveLength(4)
  expect(questions[3]).toMatchObject({
    instance: 'i',
    known: [{ card: 0, run: 'a', tag: 'loss', generation: 1, points: 20 }],
  })
  expect(questions[3]?.cards[0]?.runs).toEqual(['a'])
  const [line, other] = card.now().lines
  expect(line?.data).toMatchObject({ kind: 'points' })
  if (line?.data.kind !== 'points') return
  expect([...line.data.x]).toEqual(Array.from({ length: 25 }, (_, x) => x))
  expect([...line.data.y]).toEqual(Array.from({ length: 25 }, (_, x) => x / 2))
  expect(line.data.smoothed).toHaveLength(25)
  expect(other).toBe(quiet)
})

test('runs that are hidden or shown again cost nothing', async () => {
  const screen = await opened()
  const card = screen.card(REQUEST)
  await settle()
  card.watch.ask([{ ...REQUEST, runs: ['b'] }])
  await settle()
  expect(lengths(card.now())).toEqual({ b: 10 })
  card.watch.ask([REQUEST])
  await settle()
  expect(lengths(card.now())).toEqual({ a: 10, b: 10 })
  card.watch.ask([{ ...REQUEST, runs: ['a', 'b', 'c'] }])
  await settle()
  expect(screen.server.questions.map(({ cards }) => cards[0]?.runs)).toEqual([['a', 'b'], ['c']])
})

test('a zoom into lines of which every point is there costs nothing', async () => {
  const screen = await opened()
  const card = screen.card(REQUEST)
  await settle()
  card.watch.ask([{ ...REQUEST, range: [2, 4] }])
  await settle()
  expect(screen.server.questions).toHaveLength(1)
  expect(card.now()).toMatchObject({ isCurrent: true, ratio: 1 })
})

test('a zoom asks for more detail, the old lines stay meanwhile, and a small pan costs nothing', async () => {
  const screen = await opened(10_000)
  const card = screen.card(REQUEST)
  await settle()
  expect(card.now().ratio).toBeCloseTo(20, 0)
  const whole = card.now().lines[0]
  card.watch.ask([{ ...REQUEST, range: [5_000, 5_300] }])
  await Promise.resolve()
  expect(card.now()).toMatchObject({ isCurrent: false })
  expect(card.now().lines[0]).toBe(whole)
  await settle()
  expect(card.now()).toMatchObject({ isCurrent: true, ratio: 1 })
  card.watch.ask([{ ...REQUEST, range: [5_010, 5_310] }])
  await settle()
  expect(screen.server.questions).toHaveLength(2)
  card.watch.ask([REQUEST])
  await settle()
  expect(card.now().lines[0]).toBe(whole)
  expect(screen.server.questions).toHaveLength(2)
})

test('a card that is not on the screen waits until it is', async () => {
  const screen = await opened()
  const card = screen.card(REQUEST)
  await settle()
  card.watch.setVisible(false)
  screen.server.log('a', 'loss', 5)
  await screen.server.changed(['a'])
  await settle()
  expect(screen.server.questions).toHaveLength(1)
  card.watch.setVisible(true)
  await settle()
  expect(lengths(card.now())).toEqual({ a: 15, b: 10 })
})

test('a run without the tag is asked for again when it has other tags', async () => {
  const screen = await opened()
  screen.server.add('d')
  const card = screen.card({ ...REQUEST, runs: ['a', 'd'] })
  await settle()
  expect(lengths(card.now())).toEqual({ a: 10 })
  expect(card.now().isCurrent).toBe(true)
  screen.server.change++
  await screen.server.changed(['d'])
  await settle()
  expect(screen.server.questions).toHaveLength(1)
  screen.server.log('d', 'loss', 3)
  await screen.server.changed(['d'], { tags: ['d'] })
  await settle()
  expect(lengths(card.now())).toEqual({ a: 10, d: 3 })
})

test('another server is asked for everything, and what was drawn stays until it answers', async () => {
  const screen = await opened()
  const card = screen.card(REQUEST)
  await settle()
  screen.server.restart('j')
  screen.server.log('a', 'loss', 5)
  let release = (): void => undefined
  const answered = new Promise<void>((resolve) => {
    release = resolve
  })
  screen.server.instead.set('scalars/series', async () => {
    await answered
    screen.server.instead.clear()
    return Response.json({ error: 'busy' }, { status: 503 })
  })
  await screen.server.send('reset', { instance: 'j' })
  await screen.server.hello()
  await settle()
  expect(lengths(card.now())).toEqual({ a: 10, b: 10 })
  release()
  await settle(5_000)
  expect(screen.server.questions.at(-1)).not.toHaveProperty('since')
  expect(lengths(card.now())).toEqual({ a: 15, b: 10 })
})

test('one card that is wrong does not stop the others, and is not asked again for more points', async () => {
  const screen = await opened()
  const good = screen.card(REQUEST)
  const bad = screen.card({ ...REQUEST, source: { expression: 'loss +' } })
  const refusal = { error: 'the expression ends too early: loss +' }
  screen.server.instead.set('scalars/series', (body) =>
    Promise.resolve(body.includes('loss +') ? Response.json(refusal, { status: 400 }) : undefined),
  )
  await settle(5_000)
  screen.server.log('a', 'loss', 1)
  await screen.server.changed(['a'])
  await settle(5_000)
  expect(lengths(good.now())).toEqual({ a: 11, b: 10 })
  expect(bad.now()).toMatchObject({ trouble: refusal.error, lines: [] })
  expect(
    screen.server.questions.filter(({ cards }) => cards.some(({ expression }) => expression === 'loss +')),
  ).toHaveLength(2)
})

test('a question that was refused is asked again when the tags of its runs change', async () => {
  const screen = await opened()
  screen.server.instead.set('scalars/series', () =>
    Promise.resolve(Response.json({ error: 'too much' }, { status: 413 })),
  )
  const card = screen.card(REQUEST)
  await settle(5_000)
  expect(card.now()).toMatchObject({ trouble: 'too much', lines: [] })
  screen.server.instead.clear()
  await screen.server.changed(['c'], { tags: ['c'] })
  await settle(5_000)
  expect(card.now().trouble).toBe('too much')
  await screen.server.changed(['a'], { tags: ['a'] })
  await settle(5_000)
  expect(card.now()).toMatchObject({ trouble: null, isCurrent: true })
  expect(lengths(card.now())).toEqual({ a: 10, b: 10 })
})

test('that a first question is answered does not hide that newer points are not had', async () => {
  const screen = await opened()
  screen.card(REQUEST)
  await settle()
  screen.server.instead.set('scalars/series', (body) =>
    Promise.resolve(
      body.includes('"since"') ? Response.json({ error: 'too much at once' }, { status: 503 }) : undefined,
    ),
  )
  screen.server.log('a', 'loss', 1)
  await screen.server.changed(['a'])
  await settle(500)
  expect(screen.board.trouble).toBe('too much at once')
  screen.card({ ...REQUEST, source: { tag: 'acc' } })
  await settle(200)
  expect(screen.board.trouble).toBe('too much at once')
})

test('a card that has everything is not notified that another failed', async () => {
  const screen = await opened()
  const first = screen.card(REQUEST)
  await settle()
  screen.server.instead.set('scalars/series', () =>
    Promise.resolve(Response.json({ error: 'too much at once' }, { status: 503 })),
  )
  const second = screen.card({ ...REQUEST, source: { tag: 'acc' } })
  await settle(500)
  expect([first.now().trouble, second.now().trouble]).toEqual([null, 'too much at once'])
  screen.server.instead.clear()
  await settle(5_000)
  expect(second.now()).toMatchObject({ trouble: null, isCurrent: true })
})

test('more lines than one question takes are asked for with several, the uppermost cards first', async () => {
  const server = new FakeServer()
  const runs = Array.from({ length: 3_000 }, (_, n) => `run${String(n)}`)
  for (const run of runs) server.add(run, { loss: 1, acc: 1 })
  const screen = new Screen(server)
  await screen.open()
  const low = screen.card({ ...REQUEST, runs })
  low.watch.setVisible(true, 900)
  const high = screen.card({ ...REQUEST, source: { tag: 'acc' }, runs })
  high.watch.setVisible(true, 0)
  await settle(3_000)
  expect([low.now().lines.length, high.now().lines.length]).toEqual([3_000, 3_000])
  expect(server.questions.length).toBeGreaterThan(1)
  expect(server.questions[0]?.cards[0]?.tag).toBe('acc')
  for (const { cards } of server.questions) {
    expect(cards.reduce((sum, card) => sum + (card.runs?.length ?? 0), 0)).toBeLessThanOrEqual(5_000)
  }
})

test('bands follow their members', async () => {
  const screen = await opened()
  const groups = [
    { name: 'g', runs: ['a', 'b'] },
    { name: 'h', runs: ['c'] },
  ]
  const card = screen.card({ ...REQUEST, runs: [], groups })
  await settle()
  expect(card.now().bands.map(({ group, runs, x }) => [group, runs, x.length])).toEqual([
    ['g', 2, 10],
    ['h', 1, 10],
  ])
  const quiet = card.now().bands[1]
  screen.server.log('a', 'loss', 5)
  await screen.server.changed(['a'])
  await settle()
  expect(card.now().bands.map(({ x }) => x.length)).toEqual([15, 10])
  expect(card.now().bands[1]).toBe(quiet)
  expect(screen.server.questions[1]?.cards[0]?.groups).toEqual([groups[0]])
})

test('a response that no card needs any more is dropped', async () => {
  const screen = await opened()
  const aborted: boolean[] = []
  screen.server.instead.set(
    'scalars/series',
    (_, signal) =>
      new Promise((_, reject) => {
        screen.server.instead.clear()
        signal?.addEventListener('abort', () => {
          aborted.push(true)
          reject(new DOMException('aborted', 'AbortError'))
        })
      }),
  )
  const card = screen.card(REQUEST)
  await settle()
  card.watch.ask([{ ...REQUEST, smoothing: 'ema:0.9' }])
  await settle()
  expect(aborted).toEqual([true])
  expect(card.now().lines[0]?.data).toMatchObject({ kind: 'points' })
  expect(screen.server.questions.map(({ cards }) => cards[0]?.smoothing)).toEqual(['none', 'ema:0.9'])
})

test('a run that went leaves the cards', async () => {
  const screen = await opened()
  const card = screen.card(REQUEST)
  await settle()
  screen.server.remove('a')
  await screen.server.changed([], { removed: ['a'] })
  await settle()
  expect(lengths(card.now())).toEqual({ b: 10 })
})

test('with many changes a second, cards are updated a few times a second', async () => {
  const screen = await opened()
  const card = screen.card(REQUEST)
  await settle()
  const before = card.received.length
  for (let n = 0; n < 100; n++) {
    screen.server.log('a', 'loss', 1)
    await screen.server.changed(['a'])
    await settle(10)
  }
  await settle()
  expect(card.received.length - before).toBeGreaterThanOrEqual(4)
  expect(card.received.length - before).toBeLessThanOrEqual(12)
  expect(lengths(card.now())).toEqual({ a: 110, b: 10 })
})

function smoothed({ lines }: Loaded, at = 0): number[] {
  const data = lines[at]?.data
  return data?.kind === 'points' ? [...(data.smoothed ?? [])] : []
}

test('another weight costs no question where every point is there, and no smoothing costs none either', async () => {
  const screen = await opened(3)
  const card = screen.card({ ...REQUEST, smoothing: 'ema:0.5' })
  await settle()
  expect(smoothed(card.now())).toEqual([0, 1 / 3, 5 / 7])
  card.watch.ask([{ ...REQUEST, smoothing: 'ema:0' }])
  await settle()
  expect(smoothed(card.now())).toEqual([0, 0.5, 1])
  card.watch.ask([{ ...REQUEST, smoothing: 'none' }])
  await settle()
  expect(card.now().lines[0]?.data).toMatchObject({ kind: 'points', smoothed: null })
  card.watch.ask([{ ...REQUEST, smoothing: 'ema:0.5', range: [1, 2] }])
  await settle()
  expect(smoothed(card.now())).toEqual([0, 1 / 3, 5 / 7])
  expect(card.now().isCurrent).toBe(true)
  expect(screen.server.questions.map(({ cards }) => cards[0]?.smooth_points)).toEqual([false])
})

test('what is derived from a line is extended as it grows, in every card', async () => {
  const screen = await opened(2)
  const cards = ['ema:0.5', 'ema:0'].map((smoothing) => screen.card({ ...REQUEST, smoothing }))
  await settle()
  screen.server.log('a', 'loss', 1)
  await screen.server.changed(['a'])
  await settle()
  expect(cards.map((card) => smoothed(card.now()))).toEqual([
    [0, 1 / 3, 5 / 7],
    [0, 0.5, 1],
  ])
  screen.server.restart('j')
  await screen.server.hello()
  await settle()
  expect(cards.map((card) => smoothed(card.now()))).toEqual([
    [0, 1 / 3, 5 / 7],
    [0, 0.5, 1],
  ])
})

test('other methods, and parts of a line, are smoothed by the server', async () => {
  const screen = await opened(2_000)
  const card = screen.card({ ...REQUEST, smoothing: 'mean:5' })
  await settle()
  expect(screen.server.questions[0]?.cards[0]?.smooth_points).toBeUndefined()
  card.watch.ask([{ ...REQUEST, smoothing: 'ema:0.5', range: [100, 110] }])
  await settle()
  // The fake server sends the values themselves.
  const data = card.now().lines[0]?.data
  if (data?.kind !== 'points') throw new Error('not the points')
  expect([...(data.smoothed ?? [])]).toEqual([...data.y])
  expect(data.x.length).toBeLessThan(2_000)
})
