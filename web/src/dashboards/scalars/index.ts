// What the board knows of the scalars before they are opened.
import { later as ofCards } from '../../cards/later'
import { orMissing } from '../../widgets/or_missing'
import type { Dashboard } from '../dashboard'
import { scalarFacts } from './facts'
import { later } from './later'

export const scalars: Dashboard = {
  name: 'scalars',
  title: 'Scalars',
  key: 's',
  load: orMissing({ view: () => import('./Scalars.svelte') }).view,
  preload: [...Object.values(later), ...Object.values(ofCards)],
  facts: scalarFacts,
}
