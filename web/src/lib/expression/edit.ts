// Conditions of a filter that are put in, replaced and taken out by hand.
import type { Clause, Expression } from './parse'
import type { Query } from './query'

/** The conditions that must all hold, as they were written. */
export function conditions(query: Query): readonly Expression[] {
  if (query.kind !== 'expression' || query.expression === null) return []
  return query.expression.kind === 'and'
    ? query.expression.parts.flatMap((part) => (part.kind === 'and' ? part.parts : [part]))
    : [query.expression]
}

/** Every comparison in it, however deep. */
export function clauses(expression: Expression): readonly Clause[] {
  if (expression.kind === 'clause') return [expression.clause]
  return expression.kind === 'not' ? clauses(expression.part) : expression.parts.flatMap(clauses)
}

/**
 * The text with `condition` in place of every one that `isReplaced`; null only takes those out.
 * Plain text and regular expressions become conditions on the name.
 */
export function withCondition(
  text: string,
  query: Query,
  condition: string | null,
  isReplaced: (expression: Expression) => boolean,
): string {
  const kept =
    query.kind === 'expression'
      ? conditions(query)
          .filter((part) => !isReplaced(part))
          .map(written)
      : nameCondition(text.trim(), query)
  return [...kept, ...(condition === null ? [] : [condition])].join(' and ')
}

function written(expression: Expression): string {
  return expression.kind === 'or' ? `(${expression.text})` : expression.text
}

function nameCondition(text: string, query: Query): readonly string[] {
  if (query.kind === 'everything') return []
  if (query.kind === 'text') return [`name ~ ${JSON.stringify(text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'))}`]
  return [`name ~ ${text.startsWith('/') ? text : `/${text.replaceAll('/', '\\/')}/`}`]
}
