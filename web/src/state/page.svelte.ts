// All state of the page, assembled once; components get it with `page()`.
import { getContext, setContext } from 'svelte'
import type { Client } from '../api/client'
import type { Facts } from '../lib/query'
import { Blobs } from './blobs.svelte'
import { Board } from './board.svelte'
import { CardRegistry } from './card_registry'
import { Columns } from './columns.svelte'
import { Commands } from './commands.svelte'
import { Curation } from './curation.svelte'
import { CursorHub } from './cursor'
import { Drawer } from './drawer.svelte'
import { Filter } from './filter.svelte'
import { GridSize } from './grid.svelte'
import { Groups } from './groups.svelte'
import { Health } from './health.svelte'
import { HParams } from './hparams.svelte'
import { Lines } from './lines.svelte'
import { Moments } from './moment.svelte'
import { Pins } from './pins.svelte'
import { Printing } from './printing.svelte'
import { Runs } from './runs.svelte'
import { Selection } from './selection.svelte'
import { Settings } from './settings.svelte'
import { ShownTags } from './shown_tags.svelte'
import { Statuses } from './status.svelte'
import { Styles } from './styles.svelte'
import { Summaries } from './summaries.svelte'
import { Tags } from './tags.svelte'
import { Theme } from './theme.svelte'
import { Toasts } from './toasts.svelte'
import { View } from './view.svelte'

export class Page {
  readonly settings = new Settings(() => localStorage)
  readonly printing = new Printing()
  readonly theme = new Theme(this.settings, matchMedia('(prefers-color-scheme: dark)'), this.printing)
  readonly drawer = new Drawer(this.settings)
  readonly view: View
  readonly commands = new Commands()
  readonly toasts = new Toasts()
  readonly cursor = new CursorHub()
  readonly cards = new CardRegistry()
  readonly grid = new GridSize()
  readonly client: Client
  readonly board: Board
  readonly runs: Runs
  readonly tags: Tags
  readonly hparams: HParams
  readonly summaries: Summaries
  readonly lines: Lines
  readonly blobs: Blobs
  readonly curation: Curation
  readonly pins: Pins
  readonly columns: Columns
  readonly filter: Filter
  readonly statuses: Statuses
  readonly groups: Groups
  readonly health: Health
  readonly selection: Selection
  readonly styles: Styles
  readonly shownTags: ShownTags
  readonly moments: Moments

  /** `facts` are those that dashboards declare. */
  constructor(client: Client, facts: readonly Facts[] = []) {
    this.client = client
    this.view = new View(facts)
    this.board = new Board(client)
    this.curation = new Curation(client, this.board)
    this.pins = new Pins(this.view, this.curation)
    this.runs = new Runs(client, this.board, this.curation)
    this.tags = new Tags(client, this.board)
    this.hparams = new HParams(client, this.board)
    this.summaries = new Summaries(client, this.board)
    this.lines = new Lines(client, this.board)
    this.blobs = new Blobs(client, this.board)
    this.statuses = new Statuses(this.runs, (run) => this.hparams.status.get(run) ?? 'unknown')
    this.columns = new Columns(this)
    this.filter = new Filter(this)
    this.groups = new Groups(this)
    this.health = new Health(this)
    this.selection = new Selection(this)
    this.styles = new Styles(this)
    this.moments = new Moments(this)
    this.shownTags = new ShownTags(client, this.board, this.runs, this.selection)
    for (const mirror of [this.runs, this.tags, this.curation, this.hparams]) mirror.load()
  }

  readonly #tags = new Map<string, Tags>()

  /** The tags of a dashboard, requested when it is first opened. */
  tagsOf(dashboard: string): Tags {
    let tags = dashboard === 'scalars' ? this.tags : this.#tags.get(dashboard)
    if (tags === undefined) {
      tags = new Tags(this.client, this.board, dashboard)
      this.#tags.set(dashboard, tags)
      tags.load()
    }
    return tags
  }
}

const KEY = Symbol('page')

export function providePage(page: Page): void {
  setContext(KEY, page)
}

export function page(): Page {
  return getContext<Page>(KEY)
}
