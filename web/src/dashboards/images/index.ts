// What the board knows of the images before they are opened.
import { orMissing } from '../../widgets/or_missing'
import type { Dashboard } from '../dashboard'
import { imageFacts } from './facts'

export const images: Dashboard = {
  name: 'images',
  title: 'Images',
  key: 'i',
  load: orMissing({ view: () => import('./Images.svelte') }).view,
  preload: [],
  facts: imageFacts,
}
