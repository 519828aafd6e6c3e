// What the palette has for a query: runs, tags, and commands, some of them made from the query itself.
import { groupKey } from '../cards/groups'
import { best } from '../lib/fuzzy'
import { counted } from '../lib/format'
import { isApple, shown } from '../lib/keys'
import { cardId } from '../state/card_ids'
import { isEnabled } from '../state/commands.svelte'
import type { Page } from '../state/page.svelte'
import type { IconName } from '../widgets/icons'

export interface Offer {
  readonly id: string
  readonly kind: 'run' | 'tag' | 'command'
  readonly title: string
  readonly ranges: readonly (readonly [number, number])[]
  readonly note: string
  /** Other words by which it is found. */
  readonly keywords?: string
  readonly icon: IconName
  /** Of a run. */
  readonly colour?: string
  readonly isOff?: boolean
  readonly keys?: string
  readonly run: () => void
  /** With Shift, and with Alt; the palette stays open. */
  readonly toggle?: () => void
  readonly pin?: () => void
}

export interface Section {
  readonly title: string
  readonly offers: readonly Offer[]
}

const RUNS = 6
const TAGS = 6
const COMMANDS = 40

export function keysOf(binding: string): string {
  return shown(binding, isApple(navigator.platform))
}

export function offers(page: Page, query: string): readonly Section[] {
  const isAsking = query.trim() !== ''
  const runs = isAsking ? runOffers(page, query) : []
  const tags = isAsking ? tagOffers(page, query) : []
  const commands = [...(isAsking ? queryOffers(page, query.trim()) : []), ...commandOffers(page, query)]
  const sections = [
    { title: 'Runs', offers: runs },
    { title: 'Tags', offers: tags },
    { title: 'Commands', offers: commands },
  ]
  return sections.filter((section) => section.offers.length > 0)
}

function runOffers({ curation, runs, selection, styles }: Page, query: string): Offer[] {
  const title = (name: string): string => curation.of(name).title ?? name
  return best(query, runs.entries, (entry) => title(entry.name), RUNS).map(({ item: { name, run }, found }) => {
    const isShown = selection.isShown(name)
    return {
      id: `run-${name}`,
      kind: 'run',
      title: title(name),
      ranges: found.ranges,
      icon: 'trace',
      note: title(name) === name ? counted(run.points, 'point') : name,
      colour: styles.of(name).colour,
      isOff: !isShown,
      run: () => {
        selection.solo(name)
      },
      toggle: () => {
        selection.show([name], !isShown)
      },
      pin: () => {
        void curation.edit([{ key: ['run', name, 'pinned'], value: curation.of(name).pinned === true ? null : true }])
      },
    }
  })
}

function tagOffers({ cards, pins, tags, view }: Page, query: string): Offer[] {
  return best(query, tags.all, ({ tag }) => tag, TAGS).map(({ item: { tag, runs }, found }) => ({
    id: `tag-${tag}`,
    kind: 'tag',
    title: tag,
    ranges: found.ranges,
    note: `scalar, ${counted(runs, 'run')}`,
    icon: 'trace',
    run: () => {
      goToCard(view, cards, tag)
    },
    toggle: () => {
      view.set('full', cardId('scalars', tag))
    },
    pin: () => {
      pins.toggle(cardId('scalars', tag))
    },
  }))
}

/** Opens its group, brings it into sight and gives it the focus; full size where the grid does not have it. */
function goToCard(view: Page['view'], cards: Page['cards'], tag: string): void {
  view.set('dashboard', 'scalars')
  view.set('isTable', false)
  view.set('full', null)
  const id = cardId('scalars', tag)
  const groups = [groupKey(tag), 'pinned'].map((key) => cardId('scalars', key))
  view.set(
    'collapsed',
    view.values.collapsed.filter((key) => !groups.includes(key)),
  )
  // After the grid has drawn the group.
  setTimeout(() => {
    const card = cards.find(id)
    card?.scrollIntoView({ block: 'center' })
    if (card === undefined) view.set('full', id)
  }, 60)
}

/** What can be done with the text itself. */
function queryOffers({ runs, selection, tags, view }: Page, query: string): Offer[] {
  const lower = query.toLowerCase()
  const matching = runs.entries.filter((entry) => entry.name.toLowerCase().includes(lower)).map((entry) => entry.name)
  const matchingTags = tags.all.filter(({ tag }) => tag.toLowerCase().includes(lower)).length
  const offer = (id: string, words: string, note: string, run: () => void): Offer => ({
    id,
    kind: 'command',
    title: `${words} “${query}”`,
    ranges: [[words.length + 2, words.length + 2 + query.length]],
    note,
    icon: 'command',
    run,
  })
  return [
    ...(matching.length === 0
      ? []
      : [
          offer('show-matching', 'Show only runs matching', counted(matching.length, 'run'), () => {
            view.set('choice', { base: 'none', shown: matching, hidden: [] })
          }),
          offer('hide-matching', 'Hide runs matching', counted(matching.length, 'run'), () => {
            selection.show(matching, false)
          }),
          offer('filter-runs', 'Filter runs by', counted(matching.length, 'run'), () => {
            view.set('runFilter', query)
          }),
        ]),
    ...(matchingTags === 0
      ? []
      : [
          offer('filter-tags', 'Filter tags by', counted(matchingTags, 'tag'), () => {
            view.set('tagFilter', query)
          }),
        ]),
  ]
}

function commandOffers({ commands, hparams, tags, view }: Page, query: string): Offer[] {
  const known: Offer[] = commands.all.filter(isEnabled).map((command) => ({
    id: command.id,
    kind: 'command',
    title: command.title,
    ranges: [],
    note: command.section,
    icon: 'command',
    ...(command.keywords === undefined ? {} : { keywords: command.keywords }),
    ...(command.keys?.[0] === undefined ? {} : { keys: command.keys[0] }),
    run: () => {
      command.run()
    },
  }))
  const colours: Offer[] =
    query.trim() === ''
      ? []
      : hparams.names.map((name) => ({
          id: `colour-${name}`,
          kind: 'command',
          title: `Colour by ${name}`,
          ranges: [],
          note: 'hyper-parameter',
          icon: 'palette',
          run: () => {
            view.set('colourBy', { kind: 'column', column: `hparam:${name}` })
          },
        }))
  const axes: Offer[] =
    query.trim() === ''
      ? []
      : tags.all.map(({ tag, runs }) => ({
          id: `axis-${tag}`,
          kind: 'command',
          title: `Plot against ${tag}`,
          ranges: [],
          note: counted(runs, 'run'),
          icon: 'command',
          run: () => {
            view.set('x', { tag })
          },
        }))
  const byTitle = best(query, [...known, ...colours], (offer) => offer.title, COMMANDS).map(
    ({ item, found: { ranges } }) => ({ ...item, ranges }),
  )
  const titled = new Set(byTitle.map(({ id }) => id))
  const byKeyword = best(
    query,
    known.filter(({ id, keywords }) => keywords !== undefined && !titled.has(id)),
    (offer) => `${offer.title} ${offer.keywords ?? ''}`,
    COMMANDS,
  ).map(({ item }) => item)
  const found = [...byTitle, ...byKeyword]
  // Only if asked for in words: every tag would be among them otherwise.
  const isAxis = /\b(x|axis|use|plot|against)\b/i.test(query)
  return isAxis
    ? [
        ...found,
        ...best(query, axes, (offer) => offer.title, TAGS).map(({ item, found: { ranges } }) => ({ ...item, ranges })),
      ]
    : found
}
