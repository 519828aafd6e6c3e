// A server for tests: runs with series that can grow, answered as the real one does, and a stream that the test writes.
import { vi } from 'vitest'
import { client, type Ask, type Client } from '../api/client'
import type { SeriesQuery } from '../api/series'
import type { SummaryQuery } from '../api/summary'
import type { HParam, Run } from '../api/types'
import { Board } from './board.svelte'

export interface FakeSeries {
  readonly x: number[]
  readonly y: number[]
  change: number
  generation: number
}

const PROGRESS = { bytes_done: 0, bytes_known: 10, files_done: 0, files_known: 1, loading: false }
const NO_DAMAGE = { files: 0, bad_records: 0, bad_headers: 0, skipped_bytes: 0, unreadable: 0 }

export class FakeServer {
  instance = 'i'
  change = 1
  /** Paths that were asked for, with their queries. */
  readonly asked: string[] = []
  /** Bodies of questions for series. */
  readonly questions: SeriesQuery[] = []
  readonly runs = new Map<string, Run>()
  readonly series = new Map<string, Map<string, FakeSeries>>()
  readonly status: Record<string, unknown> = {
    version: '1',
    title: 'Kymograph',
    logdir: [{ name: null, path: 'runs', exists: true }],
    progress: PROGRESS,
    damage: NO_DAMAGE,
    unreachable: [],
  }
  readonly hparams = new Map<string, Readonly<Record<string, HParam>>>()
  readonly curation: Record<string, unknown> = {
    revision: '1',
    editor: 'me',
    folder: null,
    read_only: false,
    troubles: [],
    runs: [],
    cards: [],
    views: [],
    notes: [],
  }
  /** Responses in place of the default ones, by path; undefined for the default one. */
  readonly instead = new Map<string, (body: string, signal: AbortSignal | null) => Promise<Response | undefined>>()
  #stream: ReadableStreamDefaultController<Uint8Array> | undefined

  readonly ask: Ask = async (url, options) => {
    const path = url.pathname.replace('/api/v1/', '')
    this.asked.push(path + url.search)
    if (path === 'live') return this.#live(options.signal)
    const body = typeof options.body === 'string' ? options.body : ''
    if (path === 'scalars/series') this.questions.push(JSON.parse(body) as SeriesQuery)
    const instead = await this.instead.get(path)?.(body, options.signal ?? null)
    return instead ?? this.#answer(path, url.searchParams, body)
  }

  readonly client: Client = client('http://x/', this.ask)

  /** A run with this many points of each tag. */
  add(name: string, tags: Readonly<Record<string, number>> = {}, fields: Partial<Run> = {}): void {
    this.change++
    this.runs.set(name, {
      name,
      start_time: 1,
      end_time: 2,
      change: this.change,
      tags_change: this.change,
      dashboards: ['scalars'],
      series: 0,
      points: 0,
      hidden_points: 0,
      folded: null,
      restarts: 0,
      ...fields,
    })
    for (const [tag, points] of Object.entries(tags)) this.log(name, tag, points)
  }

  /** More points of a series. */
  log(name: string, tag: string, points: number): void {
    this.change++
    const tags = this.series.get(name) ?? new Map<string, FakeSeries>()
    this.series.set(name, tags)
    const isNew = !tags.has(tag)
    const series = tags.get(tag) ?? { x: [], y: [], change: 0, generation: 1 }
    tags.set(tag, series)
    for (let n = 0; n < points; n++) {
      series.x.push(series.x.length)
      series.y.push(series.y.length / 2)
    }
    series.change = this.change
    const run = this.runs.get(name)
    if (run === undefined) throw new Error(`no run: ${name}`)
    const tagsChange = isNew ? this.change : run.tags_change
    this.runs.set(name, { ...run, change: this.change, tags_change: tagsChange, points: run.points + points })
  }

  remove(name: string): void {
    this.change++
    this.runs.delete(name)
    this.series.delete(name)
  }

  /** Restarts, with other numbers. */
  restart(instance: string): void {
    this.instance = instance
    this.change = 1
    for (const [name, run] of this.runs) this.runs.set(name, { ...run, change: 1, tags_change: 1 })
    for (const tags of this.series.values())
      for (const series of tags.values()) Object.assign(series, { change: 1, generation: 1 })
  }

  /** Sends an event, and waits until it is received. */
  async send(name: string, data: object): Promise<void> {
    this.#stream?.enqueue(new TextEncoder().encode(`event: ${name}\ndata: ${JSON.stringify(data)}\n\n`))
    await vi.advanceTimersByTimeAsync(0)
  }

  hello(): Promise<void> {
    return this.send('hello', { instance: this.instance, change: this.change })
  }

  changed(runs: readonly string[], others: { tags?: string[]; removed?: string[]; all?: boolean } = {}): Promise<void> {
    return this.send('change', { change: this.change, runs, tags: [], removed: [], all: false, ...others })
  }

  count(path: string): number {
    return this.asked.filter((asked) => asked === path || asked.startsWith(`${path}?`)).length
  }

  #live(signal: AbortSignal | null | undefined): Response {
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => {
        this.#stream = controller
        signal?.addEventListener('abort', () => {
          controller.error(new Error('aborted'))
        })
      },
    })
    return new Response(body, { headers: { 'content-type': 'text/event-stream' } })
  }

  #answer(path: string, query: URLSearchParams, body: string): Response {
    switch (path) {
      case 'status':
        return Response.json({ ...this.status, instance: this.instance, change: this.change, runs: this.runs.size })
      case 'runs':
        return Response.json(this.#runs(query))
      case 'tags':
        return Response.json(this.#tags())
      case 'curation':
        return Response.json(this.curation)
      case 'hparams':
        return Response.json({
          change: this.change,
          total: this.hparams.size,
          next: null,
          runs: [...this.hparams].map(([name, hparams]) => ({ name, hparams, status: 'success' })),
        })
      case 'scalars/series':
        return new Response(this.#series(JSON.parse(body) as SeriesQuery))
      case 'scalars/summary':
        return new Response(this.#summary(JSON.parse(body) as SummaryQuery))
      default:
        return Response.json({ error: `no such route: ${path}` }, { status: 404 })
    }
  }

  #runs(query: URLSearchParams): object {
    const all = [...this.runs.values()]
    const byName = (a: Run, b: Run): number => (a.name < b.name ? -1 : 1)
    const sorted =
      query.get('sort') === 'change' ? all.sort((a, b) => b.change - a.change || byName(a, b)) : all.sort(byName)
    const from = Number(query.get('after') ?? '0')
    const end = from + Number(query.get('limit'))
    return {
      change: this.change,
      total: all.length,
      matched: all.length,
      next: end < all.length ? String(end) : null,
      runs: sorted.slice(from, end),
    }
  }

  #tags(): object {
    const counts = new Map<string, number>()
    for (const tags of this.series.values()) for (const tag of tags.keys()) counts.set(tag, (counts.get(tag) ?? 0) + 1)
    const tags = [...counts].map(([tag, runs]) => ({ tag, runs, display_name: '', description: '', plugin: 'scalars' }))
    return { change: this.change, total: tags.length, matched: tags.length, next: null, tags }
  }

  #series(query: SeriesQuery): ArrayBuffer {
    const isOurs = query.instance === this.instance
    const since = isOurs ? query.since : undefined
    const columns: Record<string, number[]> = {}
    const put = (name: string, values: number[]): number => {
      const column = (columns[name] ??= [])
      column.push(...values)
      return column.length - values.length
    }
    const meta = {
      instance: this.instance,
      change: this.change,
      series: [] as object[],
      groups: [] as object[],
      unchanged: [] as object[],
      missing: [] as object[],
    }
    query.cards.forEach((card, at) => {
      const tag = card.tag ?? card.expression ?? ''
      for (const run of card.runs ?? []) {
        const series = this.series.get(run)?.get(tag)
        if (series === undefined) meta.missing.push({ card: at, run, lacks: 'tag' })
        else if (since !== undefined && series.change <= since) meta.unchanged.push({ card: at, run })
        else meta.series.push(this.#line(card, at, run, series, isOurs ? query.known : [], put))
      }
      card.groups?.forEach((group, place) => {
        const found = group.runs.flatMap((run) => this.series.get(run)?.get(tag) ?? [])
        if (since !== undefined && found.every((series) => series.change <= since)) {
          meta.unchanged.push({ card: at, group: place })
          return
        }
        const x = found[0]?.x ?? []
        const start = put('band_x', x)
        for (const name of ['count', 'mean', 'median', 'iqm', 'min', 'max', 'std', 'stderr', 'q25', 'q75'])
          put(
            `band_${name}`,
            x.map(() => found.length),
          )
        meta.groups.push({
          card: at,
          group: place,
          runs: found.length,
          exact: true,
          skipped: 0,
          start,
          length: x.length,
        })
      })
    })
    return encodeFrame(columns, meta)
  }

  #line(
    card: SeriesQuery['cards'][number],
    at: number,
    run: string,
    series: FakeSeries,
    known: SeriesQuery['known'],
    put: (name: string, values: number[]) => number,
  ): object {
    const { range } = card
    const inRange = series.x.filter((x) => range === null || (x >= range[0] && x <= range[1]))
    const first = inRange[0] ?? 0
    const head = {
      card: at,
      run,
      tag: card.tag ?? card.expression,
      change: series.change,
      generation: series.generation,
      points: series.x.length,
      sorted: true,
      points_in_range: inRange.length,
      skipped: 0,
      bounds: [0, 1],
    }
    if (inRange.length <= 2 * card.columns) {
      const has = known?.find((one) => one.card === at && one.run === run && one.generation === series.generation)
      const from = range === null ? (has?.points ?? 0) : 0
      const length = inRange.length - from
      const start = put('x', inRange.slice(from))
      put('value', series.y.slice(first + from, first + from + length))
      const isLeftOut =
        card.smoothing === 'none' || (card.smooth_points === false && inRange.length === series.x.length)
      const smoothed = isLeftOut
        ? {}
        : { smoothed_start: put('smoothed', series.y.slice(first + from, first + from + length)) }
      return { ...head, exact: true, start, length, ...smoothed, ...(from > 0 ? { from_point: from } : {}) }
    }
    const each = Math.ceil(inRange.length / card.columns)
    const starts = inRange.filter((_, n) => n % each === 0)
    const start = put('column_x_first', starts)
    put(
      'column_x_last',
      starts.map((x) => x + each - 1),
    )
    for (const name of ['first', 'min', 'max', 'last'])
      put(
        `column_${name}`,
        starts.map((x) => series.y[x] ?? NaN),
      )
    put(
      'column_count',
      starts.map(() => each),
    )
    put(
      'column_flags',
      starts.map(() => 0),
    )
    return { ...head, exact: false, start, length: starts.length }
  }

  #summary({ tags, runs, instance, since }: SummaryQuery): ArrayBuffer {
    const columns: Record<string, number[]> = {}
    const names = [...this.runs.keys()].filter((run) => runs === null || runs.includes(run))
    const known = instance === this.instance ? (since ?? -1) : -1
    names.forEach((run, place) => {
      tags.forEach((tag, at) => {
        const series = this.series.get(run)?.get(tag)
        if (series === undefined || series.change <= known) return
        const [first, last] = [series.x[0] ?? NaN, series.x.at(-1) ?? NaN]
        const row: Record<string, number> = {
          run: place,
          tag: at,
          generation: 1,
          count: series.x.length,
          first_step: first,
          last_step: last,
          first_wall_time: 1,
          last_wall_time: 2,
          last_value: series.y.at(-1) ?? NaN,
          finite_last: series.y.at(-1) ?? NaN,
          min: series.y[0] ?? NaN,
          min_step: first,
          max: series.y.at(-1) ?? NaN,
          max_step: last,
          nan_count: 0,
          first_nan_step: -(2 ** 63),
          inf_count: 0,
          first_non_finite_step: -(2 ** 63),
        }
        for (const [name, value] of Object.entries(row)) (columns[name] ??= []).push(value)
      })
    })
    return encodeFrame(columns, { instance: this.instance, change: this.change, runs: names, tags })
  }
}

/** For state that gets its values from the test, and sends no request. */
export function offline(): [client: Client, board: Board] {
  const offline = client('http://x/', () => Promise.reject(new Error('offline')))
  return [offline, new Board(offline)]
}

const COLUMNS = [
  'x',
  'value',
  'smoothed',
  'column_x_first',
  'column_x_last',
  'column_first',
  'column_min',
  'column_max',
  'column_last',
  'column_count',
  'column_flags',
  'run',
  'tag',
  'generation',
  'count',
  'first_step',
  'last_step',
  'first_wall_time',
  'last_wall_time',
  'last_value',
  'finite_last',
  'min',
  'min_step',
  'max',
  'max_step',
  'nan_count',
  'first_nan_step',
  'inf_count',
  'first_non_finite_step',
]

/** A column frame of doubles. */
export function encodeFrame(columns: Readonly<Record<string, readonly number[]>>, meta: object): ArrayBuffer {
  const names = [...new Set([...COLUMNS, ...Object.keys(columns)])]
  let offset = 0
  const listed = names.map((name) => {
    const { length } = columns[name] ?? []
    const column = { name, dtype: 'f64', length, offset }
    offset += 8 * length
    return column
  })
  const header = new TextEncoder().encode(JSON.stringify({ columns: listed, meta }))
  const start = Math.ceil((12 + header.length) / 8) * 8
  const bytes = new Uint8Array(start + offset).fill(32, 12, start)
  bytes.set([0x4b, 0x59, 0x4d, 0x46, 1, 0, 0, 0])
  new DataView(bytes.buffer).setUint32(8, start - 12, true)
  bytes.set(header, 12)
  names.forEach((name, at) => {
    new Float64Array(bytes.buffer, start + (listed[at]?.offset ?? 0)).set(columns[name] ?? [])
  })
  return bytes.buffer
}
