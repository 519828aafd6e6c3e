// Files and texts made from a card: every point of the shown runs, pictures of the chart, links.
import type { ChartTheme, LineChartApi } from '../../charts/line/types'
import type { ExportQuery } from '../../api/client'
import { PALETTES } from '../../lib/palettes'
import type { Card } from './card.svelte'
import { figureName, figures } from './sources'

/** What the server is asked for: each tag and expression with the runs that are drawn. */
export function exportQuery(card: Pick<Card, 'spec' | 'sources'>, format: 'csv' | 'json'): ExportQuery {
  const cards = figures(card.spec).map((figure) => ({
    ...figure,
    runs: [...new Set(card.sources.filter((source) => source.tag === figureName(figure)).map((source) => source.run))],
  }))
  return { cards: cards.filter(({ runs }) => runs.length > 0), format }
}

// Of styles/tokens.css, whatever theme is in force: for paper.
const PRINT: Omit<ChartTheme, 'sans' | 'mono'> = {
  surface: '#ffffff',
  ink: '#1b1d1f',
  ink3: '#63676b',
  grid: '#eaeae5',
  zero: '#c9c9c1',
  bulk: '#bcbcb5',
  veil: 'rgb(27 29 31 / .05)',
  bad: '#a8232f',
}

/** The chart for a paper: light colours and a legend, whatever the theme. */
export function printable(
  chart: LineChartApi,
  colours: ReadonlyMap<string, string>,
  fonts: Pick<ChartTheme, 'sans' | 'mono'>,
  title: string,
): string {
  return chart.toSvg({
    title,
    legend: true,
    theme: { ...PRINT, sans: fonts.sans, mono: fonts.mono },
    colourOf: (key) => lightColour(colours.get(key) ?? PRINT.ink),
  })
}

/** The twin of a dark palette's colour in the light one; other colours stay. */
export function lightColour(colour: string): string {
  for (const palette of Object.values(PALETTES)) {
    const at = palette.dark.indexOf(colour)
    const twin = at < 0 ? undefined : palette.light[at]
    if (twin !== undefined) return twin
  }
  return colour
}

interface Restartable {
  readonly run: { readonly restarts: number }
}

/** What a file of points holds: after a restart the points that it logged again are not in effect, and not in the file. */
export function pointsNote(shown: readonly (Restartable & { readonly parts: readonly Restartable[] })[]): string {
  const isRestarted = shown.some(({ run, parts }) =>
    [run, ...parts.map((part) => part.run)].some((one) => one.restarts > 0),
  )
  return isRestarted ? 'without superseded points' : 'every point'
}
