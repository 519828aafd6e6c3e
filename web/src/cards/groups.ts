// Cards by the first part of their tags.

/** What a card shows: one tag, or what people put together. */
export interface CardSpec {
  /** The tag, or `chart:<id>`. */
  readonly id: string
  readonly tags: readonly string[]
  readonly expressions: readonly string[]
}

export interface CardGroup {
  /** Unique on the board; `train/` for tags. */
  readonly key: string
  readonly title: string
  readonly cards: readonly CardSpec[]
  /** How many there are without the filter. */
  readonly total: number
}

const TOP = '/'

export function tagCard(tag: string): CardSpec {
  return { id: tag, tags: [tag], expressions: [] }
}

/** `train/loss` → `train/`; tags without a folder, and those that begin with a slash, are in `/`. */
export function groupKey(tag: string): string {
  return tag.slice(0, tag.indexOf('/') + 1) || TOP
}

/** Tags in their order, those without a folder first; groups without a tag that `isWanted` are left out. */
export function groupTags(tags: readonly string[], isWanted: (tag: string) => boolean): CardGroup[] {
  const groups = new Map<string, { cards: CardSpec[]; total: number }>([[TOP, { cards: [], total: 0 }]])
  for (const tag of tags) {
    const key = groupKey(tag)
    let group = groups.get(key)
    if (group === undefined) groups.set(key, (group = { cards: [], total: 0 }))
    group.total++
    if (isWanted(tag)) group.cards.push(tagCard(tag))
  }
  return [...groups]
    .filter(([, group]) => group.cards.length > 0)
    .map(([key, group]) => ({ key, title: key === TOP ? 'Top level' : key, ...group }))
}

/** Divided by 1, 2, 3 and 4 columns of cards, so that a block ends with a full row. */
export const BLOCK = 12

/** Pixels between rows of cards: --s3. */
export const ROW_GAP = 12

/** The cards in blocks that are there, or not, as a whole. */
export function blocksOf(cards: readonly CardSpec[]): (readonly CardSpec[])[] {
  return Array.from({ length: Math.ceil(cards.length / BLOCK) }, (_, at) => cards.slice(at * BLOCK, (at + 1) * BLOCK))
}
