// What the board knows of the tensors before they are opened: whatever no other dashboard shows.
import { orMissing } from '../../widgets/or_missing'
import type { Dashboard } from '../dashboard'
import { tensorFacts } from './facts'

export const tensors: Dashboard = {
  name: 'tensors',
  title: 'Tensors',
  key: 'e',
  load: orMissing({ view: () => import('./Tensors.svelte') }).view,
  preload: [],
  facts: tensorFacts,
}
