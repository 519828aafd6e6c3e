// The dashboards of the board, in the order of their tabs.
import type { Component, Snippet } from 'svelte'
import Scalars from './scalars/Scalars.svelte'

export interface Dashboard {
  /** As in event files and in every tree. */
  readonly name: string
  readonly title: string
  /** Null while the page cannot show it: its tab then says so. It places the strip between its toolbar and its cards. */
  readonly component: Component<{ strip: Snippet }> | null
}

export const DASHBOARDS: readonly Dashboard[] = [
  { name: 'scalars', title: 'Scalars', component: Scalars },
  { name: 'images', title: 'Images', component: null },
  { name: 'audio', title: 'Audio', component: null },
  { name: 'text', title: 'Text', component: null },
  { name: 'histograms', title: 'Histograms', component: null },
  { name: 'hparams', title: 'HParams', component: null },
  { name: 'graphs', title: 'Graphs', component: null },
  { name: 'projector', title: 'Projector', component: null },
  { name: 'pr_curves', title: 'PR curves', component: null },
  { name: 'custom_scalars', title: 'Custom scalars', component: null },
  { name: 'mesh', title: 'Mesh', component: null },
  { name: 'profile', title: 'Profiler', component: null },
]
