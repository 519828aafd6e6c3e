// The machine that runs regular expressions: all ways to match advance together, each state at most once for each character.
import { ExpressionError } from './error'

type Test = (char: string) => boolean
export type Edge = 'start' | 'end' | 'word' | 'inside'

export type Node =
  | { readonly kind: 'char'; readonly test: Test }
  | { readonly kind: 'edge'; readonly edge: Edge }
  | { readonly kind: 'sequence' | 'choice'; readonly parts: readonly Node[] }
  | {
      readonly kind: 'repeat'
      readonly body: Node
      readonly min: number
      readonly max: number
      readonly isLazy: boolean
    }
  | { readonly kind: 'group'; readonly group: number; readonly body: Node }

type Op =
  | { readonly kind: 'char'; readonly test: Test; readonly next: number }
  | { readonly kind: 'edge'; readonly edge: Edge; readonly next: number }
  /** What is preferred comes first. */
  | { readonly kind: 'split'; to: readonly number[] }
  /** Beginnings of groups have even numbers, their ends odd ones. */
  | { readonly kind: 'mark'; readonly mark: number; readonly next: number }
  | { readonly kind: 'match' }

export interface Program {
  readonly ops: readonly Op[]
  readonly start: number
  readonly groups: number
}

// Bounds the work for ten thousand names, not only its growth.
const MAX_OPS = 1_000
const WORD = /[\p{L}\p{N}_]/u

/** Throws an ExpressionError at `offset` if it is too large; the first `groups` groups are captured. */
export function build(node: Node, groups: number, offset: number): Program {
  const ops: Op[] = [{ kind: 'match' }]
  const push = (op: Op): number => {
    if (ops.length >= MAX_OPS) throw new ExpressionError('The expression is too large', offset)
    return ops.push(op) - 1
  }
  /** Adds what matches `part` and then continues at `next`; returns where it begins. */
  const add = (part: Node, next: number): number => {
    switch (part.kind) {
      case 'char':
        return push({ kind: 'char', test: part.test, next })
      case 'edge':
        return push({ kind: 'edge', edge: part.edge, next })
      case 'sequence':
        return part.parts.reduceRight((after, one) => add(one, after), next)
      case 'choice':
        return push({ kind: 'split', to: part.parts.map((one) => add(one, next)) })
      case 'group': {
        if (part.group >= groups) return add(part.body, next)
        const end = push({ kind: 'mark', mark: 2 * part.group + 1, next })
        return push({ kind: 'mark', mark: 2 * part.group, next: add(part.body, end) })
      }
      case 'repeat': {
        const either = (again: number): readonly number[] => (part.isLazy ? [next, again] : [again, next])
        let start = next
        if (part.max === Infinity) {
          const loop: Op = { kind: 'split', to: [] }
          start = push(loop)
          loop.to = either(add(part.body, start))
        } else {
          for (let n = part.min; n < part.max; n++) start = push({ kind: 'split', to: either(add(part.body, start)) })
        }
        for (let n = 0; n < part.min; n++) {
          const before = start
          start = add(part.body, start)
          // Nothing is nothing however often: repeats of it within each other would never be too large.
          if (start === before) break
        }
        return start
      }
    }
  }
  const start = add(node, 0)
  return { ops, start, groups }
}

/** The marks that a way has passed, the last one first. */
interface Passed {
  readonly mark: number
  readonly at: number
  readonly before: Passed | null
}

/** What the groups hold in the first match, of several there the preferred one; null without a match. */
export function find({ ops, start, groups }: Program, text: string): readonly string[] | null {
  const chars = Array.from(text)
  const seenAt = new Int32Array(ops.length).fill(-1)
  // Ways that arrive at a place, the preferred one last, each with the marks it has passed.
  let states: number[] = []
  let marks: (Passed | null)[] = []
  let found: { readonly marks: Passed | null } | null = null
  for (let at = 0; at <= chars.length; at++) {
    if (found === null) {
      states.unshift(start)
      marks.unshift(null)
    } else if (states.length === 0) break
    const char = chars[at]
    const nextStates: number[] = []
    const nextMarks: (Passed | null)[] = []
    for (let state = states.pop(); state !== undefined; state = states.pop()) {
      const passed = marks.pop() ?? null
      if (seenAt[state] === at) continue
      seenAt[state] = at
      const op = ops[state]
      if (op === undefined || op.kind === 'match') {
        if (groups === 0) return []
        // Whatever is less preferred is of no interest any more.
        found = { marks: passed }
        break
      }
      if (op.kind === 'char') {
        if (char !== undefined && op.test(char)) {
          nextStates.push(op.next)
          nextMarks.push(passed)
        }
      } else if (op.kind === 'split') {
        for (let n = op.to.length - 1; n >= 0; n--) {
          states.push(op.to[n] ?? 0)
          marks.push(passed)
        }
      } else if (op.kind === 'mark') {
        states.push(op.next)
        marks.push({ mark: op.mark, at, before: passed })
      } else if (isAt(op.edge, chars, at)) {
        states.push(op.next)
        marks.push(passed)
      }
    }
    states = nextStates.reverse()
    marks = nextMarks.reverse()
  }
  return found === null ? null : texts(found.marks, groups, chars)
}

function texts(passed: Passed | null, groups: number, chars: readonly string[]): readonly string[] {
  const places = new Array<number | undefined>(2 * groups)
  for (let mark = passed; mark !== null; mark = mark.before) places[mark.mark] ??= mark.at
  return Array.from({ length: groups }, (_, group) =>
    chars.slice(places[2 * group] ?? 0, places[2 * group + 1] ?? 0).join(''),
  )
}

function isAt(edge: Edge, chars: readonly string[], at: number): boolean {
  if (edge === 'start') return at === 0
  if (edge === 'end') return at === chars.length
  const isBorder = WORD.test(chars[at - 1] ?? '') !== WORD.test(chars[at] ?? '')
  return edge === 'word' ? isBorder : !isBorder
}
