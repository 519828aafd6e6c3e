// Loads what is on the screen: each thing once, several with one request, and nothing that scrolled away meanwhile.

export interface LoaderOptions<Wish, Result> {
  /** The same for what is the same. */
  readonly keyOf: (wish: Wish) => string
  /** What may be in one request. */
  readonly groupOf: (wish: Wish) => string
  /** Of one request, and of requests at once. */
  readonly batch: number
  readonly parallel: number
  /** In the order of the wishes; the last may be missing, and are requested again. */
  readonly load: (wishes: readonly Wish[], signal: AbortSignal) => Promise<readonly Result[]>
  /** What takers get in place of what could not be loaded; it is not kept. */
  readonly failed: (error: unknown) => Result
  /** What is kept weighs at most so much together. */
  readonly weightOf: (result: Result) => number
  readonly most: number
}

type Take<Result> = (result: Result) => void

interface Job<Wish, Result> {
  readonly wish: Wish
  readonly takers: Set<Take<Result>>
}

interface Request<Wish, Result> {
  readonly jobs: readonly (readonly [string, Job<Wish, Result>])[]
  readonly controller: AbortController
}

export class Loader<Wish, Result> {
  readonly #options: LoaderOptions<Wish, Result>
  /** In the order of use, the last used last. */
  readonly #kept = new Map<string, Result>()
  #weight = 0
  readonly #waiting = new Map<string, Job<Wish, Result>>()
  readonly #requests = new Set<Request<Wish, Result>>()
  #isScheduled = false

  constructor(options: LoaderOptions<Wish, Result>) {
    this.#options = options
  }

  /** What is known already. */
  known(wish: Wish): Result | undefined {
    const key = this.#options.keyOf(wish)
    const result = this.#kept.get(key)
    if (result !== undefined) {
      this.#kept.delete(key)
      this.#kept.set(key, result)
    }
    return result
  }

  /** Calls `take` once, at once if it is known. Returns what ends the wait. */
  request(wish: Wish, take: Take<Result>): () => void {
    const found = this.known(wish)
    if (found !== undefined) {
      take(found)
      return () => undefined
    }
    const key = this.#options.keyOf(wish)
    const job = this.#underWay(key) ?? this.#waiting.get(key) ?? { wish, takers: new Set<Take<Result>>() }
    if (job.takers.size === 0 && this.#underWay(key) === undefined) this.#waiting.set(key, job)
    job.takers.add(take)
    this.#schedule()
    return () => {
      job.takers.delete(take)
      if (job.takers.size > 0) return
      if (this.#waiting.get(key) === job) this.#waiting.delete(key)
      for (const request of this.#requests) {
        if (request.jobs.every(([, other]) => other.takers.size === 0)) request.controller.abort()
      }
    }
  }

  #underWay(key: string): Job<Wish, Result> | undefined {
    for (const { jobs, controller } of this.#requests) {
      const found = controller.signal.aborted ? undefined : jobs.find(([other]) => other === key)
      if (found !== undefined) return found[1]
    }
    return undefined
  }

  /** After everything that is on the screen has been asked for. */
  #schedule(): void {
    if (this.#isScheduled) return
    this.#isScheduled = true
    setTimeout(() => {
      this.#isScheduled = false
      this.#start()
    })
  }

  #start(): void {
    while (this.#requests.size < this.#options.parallel) {
      const [first] = this.#waiting.values()
      if (first === undefined) return
      const group = this.#options.groupOf(first.wish)
      const jobs = [...this.#waiting]
        .filter(([, { wish }]) => this.#options.groupOf(wish) === group)
        .slice(0, this.#options.batch)
      for (const [key] of jobs) this.#waiting.delete(key)
      void this.#send({ jobs, controller: new AbortController() })
    }
  }

  async #send(request: Request<Wish, Result>): Promise<void> {
    const { jobs, controller } = request
    this.#requests.add(request)
    try {
      const wishes = jobs.map(([, { wish }]) => wish)
      const results = await this.#options.load(wishes, controller.signal)
      this.#requests.delete(request)
      jobs.forEach(([key, job], at) => {
        const result = results[at]
        // An empty answer must not be asked for for ever.
        if (result === undefined && results.length > 0) this.#again(key, job)
        else if (result === undefined) this.#give(job, this.#options.failed(new Error('the server sent no answer')))
        else {
          this.#keep(key, result)
          this.#give(job, result)
        }
      })
    } catch (error) {
      this.#requests.delete(request)
      for (const [key, job] of jobs) {
        // What was wanted again after the request was given up.
        if (controller.signal.aborted) this.#again(key, job)
        else this.#give(job, this.#options.failed(error))
      }
    }
    this.#start()
  }

  #again(key: string, job: Job<Wish, Result>): void {
    if (job.takers.size > 0) this.#waiting.set(key, job)
  }

  #give({ takers }: Job<Wish, Result>, result: Result): void {
    const all = [...takers]
    takers.clear()
    for (const take of all) take(result)
  }

  #keep(key: string, result: Result): void {
    const { weightOf, most } = this.#options
    this.#kept.set(key, result)
    this.#weight += weightOf(result)
    for (const [old, other] of this.#kept) {
      if (this.#weight <= most || old === key) return
      this.#kept.delete(old)
      this.#weight -= weightOf(other)
    }
  }
}
