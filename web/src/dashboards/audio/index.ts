// What the board knows of audio before it is opened.
import { orMissing } from '../../widgets/or_missing'
import type { Dashboard } from '../dashboard'
import { audioFacts } from './facts'

export const audio: Dashboard = {
  name: 'audio',
  title: 'Audio',
  key: 'a',
  load: orMissing({ view: () => import('./Audio.svelte') }).view,
  preload: [],
  facts: audioFacts,
}
