// What is pointed at in a chart: restarts, notes, gaps of damaged files, and the best point.
import { concerns } from '../../cards/notes'
import type { Line, Mark, XKind } from '../../charts/line/types'
import { counted } from '../../lib/format'
import { step, value } from '../../lib/numerals'
import type { ChartNote } from '../../state/curation.svelte'
import type { Best } from './best'
import type { Source } from './sources'

/** Where a run was started again. */
export interface Restarted {
  readonly step: number
  readonly hiddenPoints: number
}

/** Steps between which a file is damaged: `to` is null where nothing follows, `from` where that is at the end of the run. */
export interface Gap {
  readonly from: number | null
  readonly to: number | null
}

export interface Known {
  readonly names: readonly string[]
  readonly kind: XKind
  readonly sources: ReadonlyMap<string, Source>
  readonly lines: readonly Line[]
  readonly notes: readonly ChartNote[]
  readonly restarts: ReadonlyMap<string, readonly Restarted[]>
  readonly gaps: ReadonlyMap<string, readonly Gap[]>
  readonly best: Best | null
}

// Marks of more lines than this would hide them.
const MOST_LINES = 40

export function cardMarks(known: Known): Mark[] {
  const marks: Mark[] = []
  if (known.kind === 'step') marks.push(...noteMarks(known), ...lineMarks(known))
  const { best } = known
  const source = best === null ? undefined : known.sources.get(best.key)
  if (best !== null && source !== undefined) {
    marks.push({
      kind: 'best',
      x: best.x,
      y: best.value,
      key: best.key,
      label: `best ${value(best.value)}, ${source.label}`,
    })
  }
  return marks
}

function noteMarks({ notes, names, sources }: Known): Mark[] {
  const entries = new Set([...sources.values()].map((source) => source.entry))
  return notes.flatMap((note): Mark[] => {
    if (note.step === null || !concerns(note, names)) return []
    if (note.run !== null && !entries.has(note.run)) return []
    return [{ kind: 'note', x: note.step, label: note.text }]
  })
}

function lineMarks({ lines, sources, restarts, gaps }: Known): Mark[] {
  const lead = lines.filter((line) => line.style.role === 'lead').slice(0, MOST_LINES)
  return lead.flatMap((line): Mark[] => {
    const { key, label } = line
    const run = sources.get(key)?.run ?? ''
    const again = (restarts.get(run) ?? []).map((restart): Mark => {
      const hidden = restart.hiddenPoints > 0 ? `, ${counted(restart.hiddenPoints, 'point')} superseded` : ''
      return { kind: 'restart', x: restart.step, key, label: `${label} restarted at ${step(restart.step)}${hidden}` }
    })
    const torn = (gaps.get(run) ?? []).flatMap(({ from, to }): Mark[] => {
      const x = from ?? end(line)
      if (x === undefined) return []
      if (to === null) return [{ kind: 'gap', x, key, label: `damaged file from step ${step(x)}` }]
      return [{ kind: 'gap', x, to, key, label: `damaged record, steps ${step(x)} to ${step(to)}` }]
    })
    return [...again, ...torn]
  })
}

/** The last x of a line; undefined where it goes on out of sight. */
function end({ data, after }: Line): number | undefined {
  return after === null ? (data.kind === 'points' ? data.x : data.xLast).at(-1) : undefined
}
