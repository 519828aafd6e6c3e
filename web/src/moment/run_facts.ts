// What a run differs in from the run that is most like it, and the commit that was captured.
import type { HParam } from '../state/hparams.svelte'

export interface Difference {
  readonly name: string
  /** Undefined where that run does not have it. */
  readonly other: HParam | undefined
  readonly own: HParam | undefined
}

export interface Nearest {
  readonly run: string
  readonly differences: readonly Difference[]
  /** Hyper-parameters of both together. */
  readonly total: number
  /** Those that are the same. */
  readonly same: readonly (readonly [string, HParam])[]
}

type Params = ReadonlyMap<string, HParam>

/** The other run with the fewest different hyper-parameters, the first of several; null if no other run has any. */
export function nearestRun(run: string, all: ReadonlyMap<string, Params>): Nearest | null {
  const own = all.get(run)
  if (own === undefined || own.size === 0) return null
  let best: { run: string; count: number } | null = null
  for (const [other, params] of all) {
    if (other === run || params.size === 0) continue
    const count = countDifferent(own, params, best?.count ?? Infinity)
    if (best === null || count < best.count) best = { run: other, count }
  }
  const params = best === null ? undefined : all.get(best.run)
  if (best === null || params === undefined) return null
  const names = [...new Set([...own.keys(), ...params.keys()])]
  const isSame = (name: string): boolean => own.has(name) && Object.is(own.get(name), params.get(name))
  return {
    run: best.run,
    total: names.length,
    differences: names
      .filter((name) => !isSame(name))
      .map((name) => ({ name, other: params.get(name), own: own.get(name) })),
    same: [...own].filter(([name]) => isSame(name)),
  }
}

/** Stops counting at `most`. */
function countDifferent(own: Params, other: Params, most: number): number {
  let count = 0
  for (const [name, value] of own) if (!other.has(name) || !Object.is(other.get(name), value)) count++
  for (const name of other.keys()) {
    if (count >= most) break
    if (!own.has(name)) count++
  }
  return count
}

export interface Commit {
  readonly commit: string
  readonly branch: string
  readonly state: string
}

/** Out of what the writer captures under `run/git`; null if it is something else. */
export function commitOf(text: string): Commit | null {
  const fields = new Map(
    unfenced(text).map((line) => {
      const at = line.indexOf(':')
      return [line.slice(0, Math.max(0, at)).trim(), line.slice(at + 1).trim()] as const
    }),
  )
  const commit = fields.get('commit')
  return commit === undefined || commit === ''
    ? null
    : { commit, branch: fields.get('branch') ?? '', state: fields.get('state') ?? '' }
}

/** The lines of a code block; of a text that is none, all its lines. */
export function unfenced(text: string): string[] {
  const lines = text.split('\n')
  const fence = /^(`{3,})/.exec(lines[0] ?? '')?.[1]
  if (fence === undefined) return lines
  const end = lines.lastIndexOf(fence)
  return lines.slice(1, end > 0 ? end : undefined)
}
