// What the board knows of videos before they are opened.
import { orMissing } from '../../widgets/or_missing'
import type { Dashboard } from '../dashboard'
import { videoFacts } from './facts'

export const video: Dashboard = {
  name: 'video',
  title: 'Video',
  key: 'v',
  load: orMissing({ view: () => import('./Video.svelte') }).view,
  preload: [],
  facts: videoFacts,
}
