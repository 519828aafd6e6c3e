// From what the server sent to what the chart draws: names, colours and dashes of lines and bands.
import type { Band, Line, LineStyle } from '../../charts/line/types'
import { DASHES } from '../../lib/traces'
import type { Group } from '../../state/groups.svelte'
import type { Loaded } from '../../state/lines.svelte'
import type { Aggregate } from '../../state/facts/core'
import { spread } from './bands'
import { lineKey, type Source } from './sources'

/** How a group is drawn. */
export interface GroupLook {
  readonly group: Group
  readonly style: LineStyle
}

/** In the order of the sources; what the server has not sent is left out. */
export function drawnLines(loaded: Loaded, sources: readonly Source[], styleOf: (source: Source) => LineStyle): Line[] {
  const sent = new Map(loaded.lines.map((line) => [lineKey(line.run, line.tag), line]))
  return sources.flatMap((source): Line[] => {
    const line = sent.get(source.key)
    if (line === undefined) return []
    const { data, before, after } = line
    return [
      {
        key: source.key,
        label: source.label,
        data,
        before,
        after,
        style: styleOf(source),
        isGrowing: source.isGrowing,
      },
    ]
  })
}

export function drawnBands(
  loaded: Loaded,
  looks: ReadonlyMap<string, GroupLook>,
  names: readonly string[],
  aggregate: Aggregate,
): Band[] {
  return loaded.bands.flatMap((band): Band[] => {
    const look = looks.get(band.group)
    if (look === undefined) return []
    const { centre, low, high } = spread(band, aggregate)
    const dash = DASHES[names.indexOf(band.tag) % DASHES.length] ?? 'solid'
    const label = names.length > 1 ? `${look.group.name} · ${band.tag}` : look.group.name
    return [
      {
        key: lineKey(band.group, band.tag),
        label,
        x: band.x,
        centre,
        low,
        high,
        style: { ...look.style, dash, role: 'lead' },
      },
    ]
  })
}
