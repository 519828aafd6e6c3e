// The names of a card as its title shows them.

const EXPRESSION = / [-+*/] |[()]/

/** `train/` and `loss`. */
export function titleParts(name: string): readonly [prefix: string, leaf: string] {
  // A slash in an expression does not separate a folder.
  if (EXPRESSION.test(name)) return ['', name]
  const at = name.lastIndexOf('/') + 1
  // A tag that ends with a slash is not without a name.
  return at === name.length ? ['', name] : [name.slice(0, at), name.slice(at)]
}
