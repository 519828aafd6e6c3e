// Whether a run is still writing, judged by its last event: event files do not say that they are complete, so silence alone is never called a fault.
import { createSubscriber } from 'svelte/reactivity'
import type { Run } from '../api/types'
import type { Runs } from './runs.svelte'

export type RunStatus = 'waiting' | 'running' | 'silent' | 'stalled' | 'ended' | 'finished' | 'failed'

/** One line on what each means. */
export const STATUS_WORDS: Readonly<Record<RunStatus, string>> = {
  waiting: 'nothing logged yet',
  running: 'still writing',
  silent: 'no events for longer than usual: it may have ended or stalled',
  stalled: 'no recent events, although it is marked as running',
  ended: 'no recent writes',
  finished: 'reported success',
  failed: 'reported failure',
}

/** What the run itself said through `add_hparams` or a session of hyper-parameters. */
export type Declared = 'unknown' | 'success' | 'failure' | 'running'

const TICK_MILLIS = 5_000
// Between two events of a working run, at least, and relative to its own pace.
const QUIET_SECONDS = 60
const QUIET_INTERVALS = 6
// A run that was silent for long, or for longer than it was writing, is not expected to resume.
const GIVEN_UP_SECONDS = 1800
const GIVEN_UP_INTERVALS = 30
const AHEAD_SECONDS = 600

export class Statuses {
  readonly #runs: Pick<Runs, 'byName'>
  readonly #declared: (run: string) => Declared
  // The clock stops while the page is hidden.
  readonly #tick = createSubscriber((update) => {
    const timer = setInterval(update, TICK_MILLIS)
    return () => {
      clearInterval(timer)
    }
  })

  /** In seconds since the epoch. One for all: each that followed the ticks by itself would cost an effect for each run. */
  readonly #now = $derived.by(() => {
    this.#tick()
    return Date.now() / 1000
  })
  #writingBefore: ReadonlySet<string> = new Set()

  /** The runs that are running: the same set while they are the same ones, so that a tick alone draws nothing. */
  readonly writing = $derived.by<ReadonlySet<string>>(() => {
    const names = [...this.#runs.byName.keys()].filter((name) => this.of(name) === 'running')
    const before = this.#writingBefore
    const isSame = names.length === before.size && names.every((name) => before.has(name))
    return isSame ? before : (this.#writingBefore = new Set(names))
  })

  constructor(runs: Pick<Runs, 'byName'>, declared: (run: string) => Declared = () => 'unknown') {
    this.#runs = runs
    this.#declared = declared
  }

  of(name: string): RunStatus {
    const entry = this.#runs.byName.get(name)
    if (entry === undefined) return 'ended'
    // Parts of a run are written by the same script.
    const all = [entry.run, ...entry.parts.map((part) => part.run)]
    const latest = all.reduce((a, b) => ((b.end_time ?? 0) > (a.end_time ?? 0) ? b : a))
    return statusOf(latest, this.#declared(name), this.#now)
  }
}

/** `now` is in seconds since the epoch. */
export function statusOf(
  run: Pick<Run, 'start_time' | 'end_time' | 'points' | 'series'>,
  declared: Declared,
  now: number,
): RunStatus {
  const { start_time: start, end_time: end } = run
  if (start === null || end === null) return 'waiting'
  const interval = (end - start) / Math.max(1, run.points / Math.max(1, run.series))
  const silent = now - end
  // Clocks of machines differ by seconds or minutes; a later time says nothing on whether the run still writes.
  if (silent < -AHEAD_SECONDS) return declared === 'failure' ? 'failed' : declared === 'success' ? 'finished' : 'ended'
  if (silent <= Math.max(QUIET_SECONDS, QUIET_INTERVALS * interval))
    return declared === 'failure' ? 'failed' : 'running'
  // PyTorch writes the success of a run when it writes its hyper-parameters, which may be before the first step.
  if (declared === 'success' || declared === 'failure') return declared === 'success' ? 'finished' : 'failed'
  if (declared === 'running') return 'stalled'
  const patience = Math.min(GIVEN_UP_SECONDS, end - start)
  return silent <= Math.max(patience, GIVEN_UP_INTERVALS * interval) ? 'silent' : 'ended'
}
