// Personal taste: kept in this browser, never in the URL.

export type TooltipSort = 'nearest' | 'nearest-y' | 'descending' | 'ascending' | 'name'
export type PaletteName = 'kymograph' | 'distinct' | 'okabe-ito' | 'tensorboard'

/** Which runs are shown when the link does not say. */
export interface StartRuns {
  readonly which: 'newest' | 'best'
  readonly count: number
  /** For `best`: of this tag. */
  readonly tag: string | null
}

/** Everything that is remembered, with what holds until somebody chooses. */
export const DEFAULTS = {
  theme: 'system' as 'system' | 'light' | 'dark',
  /** Cards side by side; 0 as many as fit. */
  cardColumns: 0,
  /** Height of a card's plot in pixels. */
  cardHeight: 180,
  railWidth: 324,
  isRailOpen: true,
  isDrawerOpen: false,
  tooltipSort: 'nearest' as TooltipSort,
  tooltipRows: 10,
  /** Beside the value that is drawn. */
  tooltipColumns: ['value'] as readonly ('value' | 'step' | 'relative' | 'wall')[],
  /** Whether a press on a chart chooses its step. */
  stepSelection: true,
  /** Whether all cards list the values of a chosen step, and not only those where it was chosen. */
  valuesEverywhere: false,
  /** Columns of the table of a chosen step, and of a chosen range. */
  stepColumns: ['smoothed', 'value', 'step', 'relative'] as readonly string[],
  rangeColumns: ['min', 'max', 'start', 'end', 'change', 'percent', 'startStep', 'endStep'] as readonly string[],
  palette: 'kymograph' as PaletteName,
  /** How many runs are drawn in colour; the others are grey context. */
  colouredRuns: 12,
  startRuns: { which: 'newest', count: 100, tag: null } as StartRuns,
  showBest: true,
  showEnvelope: true,
  showRaw: true,
  partition: false,
  hideEmptyCards: true,
  /** Cards of a group before "show more". */
  groupPage: 60,
  /** Columns of the run table: ids as in `state/columns`. */
  tableColumns: [] as readonly string[],
  /** Pixels of the table's columns that were made wider or narrower, by id. */
  tableWidths: {} as Readonly<Record<string, number>>,
}

export type SettingValues = typeof DEFAULTS

const KEY = 'kymograph.settings'

export class Settings {
  values = $state<SettingValues>({ ...DEFAULTS })
  readonly #memory: () => Pick<Storage, 'getItem' | 'setItem'>

  constructor(memory: () => Pick<Storage, 'getItem' | 'setItem'>) {
    this.#memory = memory
    this.values = { ...DEFAULTS, ...recall(memory) }
  }

  set<Name extends keyof SettingValues>(name: Name, value: SettingValues[Name]): void {
    this.replace({ ...this.values, [name]: value })
  }

  /** Everything as it is before somebody chooses. */
  reset(): void {
    this.replace({ ...DEFAULTS })
  }

  replace(values: SettingValues): void {
    // One by one: dragging the edge of the rail is of no concern to who reads colours.
    Object.assign(this.values, values)
    try {
      this.#memory().setItem(KEY, JSON.stringify(this.values))
    } catch {
      // Blocked site data: the choice then lasts as long as the page.
    }
  }
}

/** What was stored, as far as it is of the kind that is expected. */
function recall(memory: () => Pick<Storage, 'getItem'>): Partial<SettingValues> {
  try {
    const stored: unknown = JSON.parse(memory().getItem(KEY) ?? '{}')
    if (typeof stored !== 'object' || stored === null) return {}
    const known = Object.entries(stored).filter(([name, value]) => {
      const usual: unknown = (DEFAULTS as Readonly<Record<string, unknown>>)[name]
      return usual !== undefined && typeof usual === typeof value && Array.isArray(usual) === Array.isArray(value)
    })
    return Object.fromEntries(known)
  } catch {
    return {}
  }
}
