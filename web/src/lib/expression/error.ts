// What is wrong with a filter, and where.

/** One sentence for the person, and the place in the text, counted from 0. */
export class ExpressionError extends Error {
  override readonly name = 'ExpressionError'
  constructor(
    message: string,
    readonly at: number,
  ) {
    super(message)
  }
}
