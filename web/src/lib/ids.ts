// Names that nothing else has, for what people add.

/** Not `randomUUID`: browsers keep it for secure pages, and boards are mostly on plain HTTP. */
export function freshId(): string {
  return crypto.getRandomValues(new Uint32Array(2)).join('-')
}
