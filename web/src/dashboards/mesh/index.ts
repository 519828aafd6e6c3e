// What the board knows of meshes before they are opened: point clouds and surfaces.
import { orMissing } from '../../widgets/or_missing'
import type { Dashboard } from '../dashboard'
import { meshFacts } from './facts'

export const mesh: Dashboard = {
  name: 'mesh',
  title: 'Mesh',
  key: 'm',
  load: orMissing({ view: () => import('./Meshes.svelte') }).view,
  preload: [],
  facts: meshFacts,
}
