// What is not visible at first: loaded on demand, or while the page is idle, so that it is there when the server is not.
import { DASHBOARDS } from '../dashboards'
import { whenIdle } from '../lib/idle'
import { later as ofRuns } from '../runs/later'
import { orMissing } from '../widgets/or_missing'

export const later = orMissing({
  table: () => import('../runs/Table.svelte'),
  empty: () => import('./Empty.svelte'),
  unshown: () => import('./Unshown.svelte'),
  palette: () => import('./Palette.svelte'),
  keys: () => import('./KeySheet.svelte'),
  settings: () => import('./SettingsDialog.svelte'),
  damage: () => import('./DamageDialog.svelte'),
  moment: () => import('../moment/Here.svelte'),
  savedViews: () => import('./SavedViews.svelte'),
  runsSheet: () => import('./RunsSheet.svelte'),
})

const LATEST_MILLIS = 3_000

/** Loads all of it in a quiet moment once charts can be drawn: keys that are pressed while a dialog comes are lost. A board without charts does not wait for them. */
export function loadInQuiet(
  answered: Promise<void>,
  loads: readonly (() => Promise<unknown>)[] = [
    ...Object.values({ ...later, ...ofRuns }),
    ...DASHBOARDS.flatMap(({ preload }) => preload),
  ],
): void {
  let isLoading = false
  const load = (): void => {
    if (isLoading) return
    isLoading = true
    whenIdle(() => {
      for (const one of loads) one().catch(() => undefined)
    }, LATEST_MILLIS) // requested again on demand
  }
  setTimeout(load, LATEST_MILLIS)
  void answered.then(load)
}
