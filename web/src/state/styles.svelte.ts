// One colour and dash for each run, the same everywhere.
import type { Dash } from '../lib/traces'
import type { Selection } from './selection.svelte'

export interface RunStyle {
  /** `#rrggbb`, of the theme in force. */
  readonly colour: string
  readonly dash: Dash
  readonly role: 'lead' | 'context'
}

const GREY: RunStyle = { colour: '#888a87', dash: 'solid', role: 'context' }
const FIRST = ['#2382fb', '#b45f44', '#1b7667', '#a48b0f', '#663db5', '#e25998']

export class Styles {
  readonly #selection: Selection

  constructor(selection: Selection) {
    this.#selection = selection
  }

  /** Of the runs that are shown; reading it makes an effect depend on all styles. */
  readonly all = $derived.by<ReadonlyMap<string, RunStyle>>(() => {
    const styled = this.#selection.shown.map((entry, at): [string, RunStyle] => {
      const colour = FIRST[at]
      return [entry.name, colour === undefined ? GREY : { colour, dash: 'solid', role: 'lead' }]
    })
    return new Map(styled)
  })

  of(run: string): RunStyle {
    return this.all.get(run) ?? GREY
  }
}
