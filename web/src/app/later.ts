// What is not seen at first: loaded when it is wanted, or while nothing else is to be done, so that it is there when the server is not.
import { later as ofScalars } from '../dashboards/scalars/later'
import { later as ofRuns } from '../runs/later'

export const later = {
  table: () => import('../runs/Table.svelte'),
  empty: () => import('./Empty.svelte'),
  unshown: () => import('./Unshown.svelte'),
  palette: () => import('./Palette.svelte'),
  keys: () => import('./KeySheet.svelte'),
  settings: () => import('./SettingsDialog.svelte'),
  damage: () => import('./DamageDialog.svelte'),
  savedViews: () => import('./SavedViews.svelte'),
  runsSheet: () => import('./RunsSheet.svelte'),
}

const QUIET_MILLIS = 3_000

/** Loads all of it in a quiet moment. */
export function loadInQuiet(): void {
  setTimeout(() => {
    for (const load of Object.values({ ...later, ...ofScalars, ...ofRuns })) load().catch(() => undefined) // asked for again when it is wanted
  }, QUIET_MILLIS)
}
