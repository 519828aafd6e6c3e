// What the server answers, as docs/reference/http-api.md has it.
import { flag, list, nullable, number, object, text, type Parse } from './shape'

/** A directory in which runs are looked for. */
export interface Root {
  readonly name: string | null
  readonly path: string
  readonly exists: boolean
}

export interface Progress {
  readonly bytes_done: number
  readonly bytes_known: number
  readonly files_done: number
  readonly files_known: number
  readonly loading: boolean
}

/** What was lost, over all files. */
export interface Damage {
  readonly files: number
  readonly bad_records: number
  readonly bad_headers: number
  readonly skipped_bytes: number
  readonly unreadable: number
}

/** A place that could not be looked into. */
export interface Unreachable {
  readonly path: string
  readonly reason: string
}

export interface Status {
  readonly version: string
  readonly instance: string
  readonly title: string
  readonly logdir: readonly Root[]
  readonly change: number
  readonly runs: number
  readonly progress: Progress
  readonly damage: Damage
  readonly unreachable: readonly Unreachable[]
}

export interface Run {
  readonly name: string
  /** Seconds since the epoch, as `end_time`; null before the first event. */
  readonly start_time: number | null
  readonly end_time: number | null
  readonly dashboards: readonly string[]
  readonly series: number
  readonly points: number
}

/** The first runs of a list, and how long the list is. */
export interface RunPage {
  readonly change: number
  readonly matched: number
  readonly runs: readonly Run[]
}

export const parseProgress: Parse<Progress> = object({
  bytes_done: number,
  bytes_known: number,
  files_done: number,
  files_known: number,
  loading: flag,
})

export const parseStatus: Parse<Status> = object({
  version: text,
  instance: text,
  title: text,
  logdir: list(object<Root>({ name: nullable(text), path: text, exists: flag })),
  change: number,
  runs: number,
  progress: parseProgress,
  damage: object<Damage>({
    files: number,
    bad_records: number,
    bad_headers: number,
    skipped_bytes: number,
    unreadable: number,
  }),
  unreachable: list(object<Unreachable>({ path: text, reason: text })),
})

export const parseRunPage: Parse<RunPage> = object({
  change: number,
  matched: number,
  runs: list(
    object<Run>({
      name: text,
      start_time: nullable(number),
      end_time: nullable(number),
      dashboards: list(text),
      series: number,
      points: number,
    }),
  ),
})
