// Personal preferences: stored in this browser, never in the URL.
import { allowed } from '../lib/setting'
import { FIELDS, type FieldName } from './setting_fields'

export type { PaletteName, TooltipSort } from './setting_fields'

/** Which runs are shown when the link does not say. */
export interface StartRuns {
  readonly which: 'newest' | 'best'
  readonly count: number
  /** For `best`: of this tag. */
  readonly tag: string | null
}

/** Everything that is stored, with its defaults; what is offered to the user is declared in `setting_fields`. */
export const DEFAULTS = {
  theme: FIELDS.theme.default,
  /** Cards side by side; 0 as many as fit. */
  cardColumns: FIELDS.cardColumns.default,
  /** Height of a card's plot in pixels. */
  cardHeight: FIELDS.cardHeight.default,
  railWidth: 324,
  isRailOpen: true,
  isDrawerOpen: false,
  tooltipSort: FIELDS.tooltipSort.default,
  tooltipRows: FIELDS.tooltipRows.default,
  /** Beside the value that is drawn. */
  tooltipColumns: ['value'] as readonly ('value' | 'step' | 'relative' | 'wall')[],
  /** Whether a click on a chart selects its step. */
  stepSelection: FIELDS.stepSelection.default,
  /** Whether all cards list the values of a selected step, not only the one that was clicked. */
  valuesEverywhere: FIELDS.valuesEverywhere.default,
  /** Columns of the table of a selected step, and of a selected range. */
  stepColumns: ['smoothed', 'value', 'step', 'relative'] as readonly string[],
  rangeColumns: ['min', 'max', 'start', 'end', 'change', 'percent', 'startStep', 'endStep'] as readonly string[],
  palette: FIELDS.palette.default,
  /** How many runs are drawn in colour; the others are grey context. */
  colouredRuns: FIELDS.colouredRuns.default,
  startRuns: { which: 'newest', count: 100, tag: null } as StartRuns,
  showBest: FIELDS.showBest.default,
  showEnvelope: FIELDS.showEnvelope.default,
  showRaw: FIELDS.showRaw.default,
  partition: FIELDS.partition.default,
  hideEmptyCards: FIELDS.hideEmptyCards.default,
  /** Cards of a group before "show more". */
  groupPage: FIELDS.groupPage.default,
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

  /** Sets what a declared setting's widget reports, within its declared range. */
  choose(name: FieldName, value: unknown): void {
    this.replace({ ...this.values, [name]: allowed(FIELDS[name], value) })
  }

  reset(): void {
    this.replace({ ...DEFAULTS })
  }

  replace(values: SettingValues): void {
    // One by one, so that resizing the rail does not notify readers of other settings.
    Object.assign(this.values, values)
    try {
      this.#memory().setItem(KEY, JSON.stringify(this.values))
    } catch {
      // Blocked site data: the settings then last as long as the page.
    }
  }
}

/** What was stored, as far as its type is expected; values outside a declared range are moved into it. */
function recall(memory: () => Pick<Storage, 'getItem'>): Partial<SettingValues> {
  try {
    const stored: unknown = JSON.parse(memory().getItem(KEY) ?? '{}')
    if (typeof stored !== 'object' || stored === null) return {}
    const known = Object.entries(stored).filter(([name, value]) => {
      const fallback: unknown = (DEFAULTS as Readonly<Record<string, unknown>>)[name]
      return (
        fallback !== undefined && typeof fallback === typeof value && Array.isArray(fallback) === Array.isArray(value)
      )
    })
    return Object.fromEntries(
      known.map(([name, value]) => [
        name,
        Object.hasOwn(FIELDS, name) ? allowed(FIELDS[name as FieldName], value) : value,
      ]),
    )
  } catch {
    return {}
  }
}
