// The dashboards of the board, in the order of their tabs: that of the core.
import type { DashboardName } from '../state/card_ids'
import { audio } from './audio'
import type { Dashboard } from './dashboard'
import { images } from './images'
import { mesh } from './mesh'
import { scalars } from './scalars'
import { tensors } from './tensors'
import { text } from './text'
import { video } from './video'

export type { Dashboard } from './dashboard'

export const DASHBOARDS: readonly Dashboard[] = [
  scalars,
  images,
  video,
  audio,
  later('histograms', 'Histograms', 'h'),
  text,
  later('graphs', 'Graphs', 'g'),
  later('pr_curves', 'PR curves', null),
  mesh,
  later('hparams', 'HParams', 'r'),
  later('custom_scalars', 'Custom scalars', null),
  tensors,
]

/** One that the page cannot show yet. */
function later(name: DashboardName, title: string, key: string | null): Dashboard {
  return { name, title, key, load: null, preload: [] }
}
