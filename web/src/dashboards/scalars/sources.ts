// Which lines a card draws: one for each shown run, part of a run, tag and expression; and what they are called.
import type { CardSpec } from '../../cards/groups'
import type { LineStyle } from '../../charts/line/types'
import { DASHES } from '../../lib/traces'
import { cardId } from '../../state/card_ids'
import type { Entry } from '../../state/runs.svelte'

/** What a card shows. */
export interface Spec {
  readonly tags: readonly string[]
  readonly expressions: readonly string[]
}

export interface ScalarSpec extends CardSpec, Spec {}

/** The card of one tag. */
export function scalarCard(tag: string): ScalarSpec {
  return { id: cardId('scalars', tag), names: [tag], tags: [tag], expressions: [] }
}

/** A tag or an expression, as the server takes it. */
export type Figure = { readonly tag: string } | { readonly expression: string }

/** A line that a card may have. */
export interface Source {
  /** `<run>\0<tag>`, of the run that has the points. */
  readonly key: string
  /** The run of the list, whose colour it has. */
  readonly entry: string
  /** The run that has the points: the same, or a part of it. */
  readonly run: string
  /** The tag or the expression. */
  readonly tag: string
  readonly label: string
  readonly style: LineStyle
  readonly isGrowing: boolean
}

export interface Look {
  title(entry: string): string
  style(entry: string): LineStyle
  isGrowing(entry: Entry): boolean
}

export function lineKey(run: string, tag: string): string {
  return `${run}\0${tag}`
}

/** The run of a key, and the tag. */
export function keyParts(key: string): readonly [run: string, tag: string] {
  const at = key.indexOf('\0')
  return at < 0 ? [key, ''] : [key.slice(0, at), key.slice(at + 1)]
}

export function figures(spec: Spec): Figure[] {
  return [...spec.tags.map((tag) => ({ tag })), ...spec.expressions.map((expression) => ({ expression }))]
}

export function figureName(figure: Figure): string {
  return 'tag' in figure ? figure.tag : figure.expression
}

/** In the order of the entries; within one of them in the order of the tags. */
export function sources(spec: Spec, entries: readonly Entry[], look: Look): Source[] {
  const names = figures(spec).map(figureName)
  return entries.flatMap((entry) => names.flatMap((tag, at) => entrySources(entry, tag, at, names.length > 1, look)))
}

/** Runs whose points count for `tag` in the list's run `entry`: itself, and its parts that have the tag. */
export function members(entry: Entry, tag: string): string[] {
  return [entry.name, ...partsWith(entry, tag).map((part) => part.run.name)]
}

function partsWith(entry: Entry, tag: string): Entry['parts'] {
  return entry.parts.filter((part) => part.tag === null || part.tag === tag)
}

function entrySources(entry: Entry, tag: string, tagAt: number, isOneOfMany: boolean, look: Look): Source[] {
  const style = look.style(entry.name)
  const title = look.title(entry.name)
  const isGrowing = look.isGrowing(entry)
  const parts = partsWith(entry, tag)
  const source = (run: string, name: string, dashAt: number): Source => ({
    key: lineKey(run, tag),
    entry: entry.name,
    run,
    tag,
    label: isOneOfMany ? `${name} · ${tag}` : name,
    style:
      dashAt === 0
        ? style
        : { ...style, dash: DASHES[(DASHES.indexOf(style.dash) + dashAt) % DASHES.length] ?? 'solid' },
    isGrowing,
  })
  const isAlone = parts.length === 1 && parts[0]?.kind === 'hparams'
  return [
    source(entry.name, title, tagAt),
    ...parts.map((part, at) =>
      source(part.run.name, isAlone ? title : `${title}: ${part.label}`, tagAt + (isAlone ? 0 : at)),
    ),
  ]
}
