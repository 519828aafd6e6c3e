// What a dashboard declares: tabs, keys, palette and preloading are made from it.
import type { Component, Snippet } from 'svelte'
import type { Facts } from '../lib/query'
import type { DashboardName } from '../state/card_ids'

export interface Dashboard {
  /** As in event files and in every tree. */
  readonly name: DashboardName
  readonly title: string
  /** `g` and then this key opens it; null without one. */
  readonly key: string | null
  /** Its component, loaded when it is opened; null while the page cannot show it: its tab then says so. It places the strip between its toolbar and its cards. */
  readonly load: (() => Promise<{ default: Component<{ strip: Snippet }> }>) | null
  /** What it opens later, loaded while the page is idle. */
  readonly preload: readonly (() => Promise<unknown>)[]
  /** What a link has of it beside the facts that all share, from its `facts.ts`: `view.facts(…)` reads and sets them. */
  readonly facts?: Facts
}
