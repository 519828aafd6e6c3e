// Cards by the first part of their tags.
import { cardId } from '../state/card_ids'

/** What every card has; dashboards add what theirs show. */
export interface CardSpec {
  /** `<dashboard>:<name>`, see `state/card_ids`. */
  readonly id: string
  /** What its title names: a tag, or what people put together. */
  readonly names: readonly string[]
}

/** What is shown in place of a card's content, as one sentence. */
export interface CardState {
  readonly kind: 'loading' | 'empty' | 'error'
  readonly text: string
}

export interface CardGroup<Spec extends CardSpec> {
  /** Unique within its dashboard; `train/` for tags. */
  readonly key: string
  readonly title: string
  readonly cards: readonly Spec[]
  /** How many there are without the filter. */
  readonly total: number
  /** Whether the title is the folder of a tag. */
  readonly isFolder?: boolean
  /** Fewer cards side by side than the board has columns: for those that deserve more room. */
  readonly mostColumns?: number
}

const TOP = '/'

export function tagCard(dashboard: string, tag: string): CardSpec {
  return { id: cardId(dashboard, tag), names: [tag] }
}

/** `train/loss` → `train/`; tags without a folder, and those that begin with a slash, are in `/`. */
export function groupKey(tag: string): string {
  return tag.slice(0, tag.indexOf('/') + 1) || TOP
}

/** Tags in their order, those without a folder first; groups without a tag that `isShown` are left out. */
export function groupTags<Spec extends CardSpec>(
  tags: readonly string[],
  isShown: (tag: string) => boolean,
  card: (tag: string) => Spec,
): CardGroup<Spec>[] {
  const groups = new Map<string, { cards: Spec[]; total: number }>([[TOP, { cards: [], total: 0 }]])
  for (const tag of tags) {
    const key = groupKey(tag)
    let group = groups.get(key)
    if (group === undefined) groups.set(key, (group = { cards: [], total: 0 }))
    group.total++
    if (isShown(tag)) group.cards.push(card(tag))
  }
  return [...groups]
    .filter(([, group]) => group.cards.length > 0)
    .map(([key, group]) => ({ key, title: key === TOP ? 'Top level' : key, isFolder: key !== TOP, ...group }))
}

/** The pinned cards as a group of their own, before all others; none without any. */
export function pinnedGroup<Spec extends CardSpec>(cards: readonly Spec[]): CardGroup<Spec>[] {
  return cards.length === 0 ? [] : [{ key: 'pinned', title: 'Pinned', cards, total: cards.length, mostColumns: 2 }]
}

/** Each card once, though a pinned one is in two groups. */
export function allCards<Spec extends CardSpec>(groups: readonly CardGroup<Spec>[]): Spec[] {
  return [...new Map(groups.flatMap((group) => group.cards.map((card) => [card.id, card]))).values()]
}

/** Divided by 1, 2, 3 and 4 columns of cards, so that a block ends with a full row. */
export const BLOCK = 12

/** Pixels between rows of cards: --s3. */
export const ROW_GAP = 12

/** Pixels of a card's title. */
export const TITLE_HEIGHT = 24

/** The cards in blocks that are made and removed as a whole. */
export function blocksOf<Spec>(cards: readonly Spec[]): (readonly Spec[])[] {
  return Array.from({ length: Math.ceil(cards.length / BLOCK) }, (_, at) => cards.slice(at * BLOCK, (at + 1) * BLOCK))
}

/** Where a group is in its row. */
export interface GroupPlace {
  /** Cards of the group side by side. */
  readonly across: number
  /** Cards of all groups in the row side by side. */
  readonly rowAcross: number
  readonly isLast: boolean
}

/**
 * Places by key. Groups with fewer cards than there are columns share a row as long as they fit, and their cards fill it. Collapsed
 * groups keep their place, so that no other one moves.
 */
export function placesOf(groups: readonly CardGroup<CardSpec>[], columns: number): ReadonlyMap<string, GroupPlace> {
  const rows: { members: { key: string; across: number }[]; across: number; hasRoom: boolean }[] = []
  for (const { key, cards, mostColumns } of groups) {
    const across = Math.max(1, Math.min(mostColumns ?? columns, columns, cards.length))
    const isSmall = mostColumns === undefined && across < columns
    const last = rows.at(-1)
    if (last?.hasRoom === true && isSmall && last.across + across <= columns) {
      last.members.push({ key, across })
      last.across += across
    } else rows.push({ members: [{ key, across }], across, hasRoom: isSmall })
  }
  return new Map(
    rows.flatMap(({ members, across: rowAcross }) =>
      members.map(({ key, across }, at) => [key, { across, rowAcross, isLast: at === members.length - 1 }]),
    ),
  )
}
