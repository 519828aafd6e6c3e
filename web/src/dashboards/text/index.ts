// What the board knows of the texts before they are opened.
import { orMissing } from '../../widgets/or_missing'
import type { Dashboard } from '../dashboard'
import { textFacts } from './facts'

export const text: Dashboard = {
  name: 'text',
  title: 'Text',
  key: 't',
  load: orMissing({ view: () => import('./Texts.svelte') }).view,
  preload: [],
  facts: textFacts,
}
