// What the server answers about the board and its runs, as docs/reference/http-api.md has it.
import { flag, list, nullable, number, object, real, record, text, word, type Parse } from './shape'

/** A directory that is searched for runs. */
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

/** A path that could not be read. */
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

/** The run to which a run written by `add_scalars` or `add_hparams` belongs. */
export interface Folded {
  readonly into: string
  readonly kind: 'scalars' | 'hparams'
  readonly label: string
  /** The only tag it has; null for those of `add_hparams`. */
  readonly tag: string | null
}

export interface Run {
  readonly name: string
  /** Seconds since the epoch, as `end_time`; null before the first event. */
  readonly start_time: number | null
  readonly end_time: number | null
  /** Of its last change, and of the last change of its tags. */
  readonly change: number
  readonly tags_change: number
  readonly dashboards: readonly string[]
  readonly series: number
  readonly points: number
  readonly hidden_points: number
  readonly folded: Folded | null
  readonly restarts: number
}

/** A page of a list, and the cursor of the next. */
export interface RunPage {
  readonly change: number
  readonly total: number
  readonly matched: number
  readonly next: string | null
  readonly runs: readonly Run[]
}

export interface Tag {
  readonly tag: string
  /** How many runs have it. */
  readonly runs: number
  readonly display_name: string
  /** Markdown. */
  readonly description: string
}

export interface TagPage {
  readonly change: number
  readonly total: number
  readonly next: string | null
  readonly tags: readonly Tag[]
}

export type HParam = number | string | boolean

export interface HParamsOfRun {
  readonly name: string
  readonly hparams: ReadonlyMap<string, HParam>
  readonly status: 'unknown' | 'success' | 'failure' | 'running'
}

export interface HParamsPage {
  readonly change: number
  readonly next: string | null
  readonly runs: readonly HParamsOfRun[]
}

/** What `kymograph doctor` says of the logdir. */
export interface Finding {
  /** Stable across versions. */
  readonly code: string
  /** `error`: nothing can be shown; `warning`: something is missing or misleading. */
  readonly severity: 'error' | 'warning' | 'note'
  readonly sentence: string
  readonly hint: string | null
  readonly path: string | null
}

/** A run that was restarted from an earlier step. */
export interface Restart {
  readonly run: string
  readonly step: number
  readonly wall_time: number
  readonly hidden_points: number
}

/** Bytes of a file that could not be read, between two steps where they are known. */
export interface Gap {
  readonly offset: number
  readonly bytes: number
  readonly step_before: number | null
  readonly step_after: number | null
}

/** A file of which something was lost. */
export interface DamagedFile {
  readonly path: string
  readonly run: string
  readonly bytes: number
  readonly bytes_read: number
  readonly records: number
  readonly bad_records: number
  readonly bad_headers: number
  readonly skipped_bytes: number
  readonly broken_tail: boolean
  readonly error: string | null
  readonly gaps: readonly Gap[]
}

export interface DamagePage {
  readonly total: number
  readonly next: string | null
  readonly files: readonly DamagedFile[]
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

const parseFolded: Parse<Folded> = object<Folded>({
  into: text,
  kind: word('scalars', 'hparams'),
  label: text,
  tag: nullable(text),
})

const next = nullable(text)

export const parseRunPage: Parse<RunPage> = object({
  change: number,
  total: number,
  matched: number,
  next,
  runs: list(
    object<Run>({
      name: text,
      start_time: nullable(number),
      end_time: nullable(number),
      change: number,
      tags_change: number,
      dashboards: list(text),
      series: number,
      points: number,
      hidden_points: number,
      folded: nullable(parseFolded),
      restarts: number,
    }),
  ),
})

export const parseTagPage: Parse<TagPage> = object({
  change: number,
  total: number,
  next,
  tags: list(object<Tag>({ tag: text, runs: number, display_name: text, description: text })),
})

const hparam: Parse<HParam> = (value, where) =>
  typeof value === 'boolean' || typeof value === 'string' ? value : number(value, where)

export const parseHParamsPage: Parse<HParamsPage> = object({
  change: number,
  next,
  runs: list(
    object<HParamsOfRun>({
      name: text,
      hparams: record(hparam),
      status: word('unknown', 'success', 'failure', 'running'),
    }),
  ),
})

export const parseFindings: Parse<{ readonly findings: readonly Finding[] }> = object({
  findings: list(
    object<Finding>({
      code: text,
      severity: word('error', 'warning', 'note'),
      sentence: text,
      hint: nullable(text),
      path: nullable(text),
    }),
  ),
})

export const parseRestarts: Parse<{ readonly change: number; readonly restarts: readonly Restart[] }> = object({
  change: number,
  restarts: list(object<Restart>({ run: text, step: number, wall_time: real, hidden_points: number })),
})

const parseGap: Parse<Gap> = object<Gap>({
  offset: number,
  bytes: number,
  step_before: nullable(number),
  step_after: nullable(number),
})

export const parseDamagePage: Parse<DamagePage> = object({
  total: number,
  next,
  files: list(
    object<DamagedFile>({
      path: text,
      run: text,
      bytes: number,
      bytes_read: number,
      records: number,
      bad_records: number,
      bad_headers: number,
      skipped_bytes: number,
      broken_tail: flag,
      error: nullable(text),
      gaps: list(parseGap),
    }),
  ),
})
