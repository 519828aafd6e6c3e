// The view as the address has it: only what differs from the usual; TensorBoard's links are understood too.
import {
  before,
  flag,
  format,
  joined,
  keyed,
  many,
  maybe,
  number,
  one,
  parse,
  range,
  split,
  text,
  word,
  type Fact,
  type Parameters,
  type Word,
} from '../lib/query'
import { cardId, cardWord, groupWord } from './card_ids'
import {
  USUAL,
  type Aggregate,
  type ColourBy,
  type GroupBy,
  type OwnChart,
  type ViewValues,
  type XAxis,
  type YRange,
  type Zoom,
} from './view.svelte'

export interface Link {
  readonly values: ViewValues
  /** Parameters that are not ours: they stay. */
  readonly others: Parameters
}

const DASHBOARDS = [
  'scalars',
  'images',
  'audio',
  'text',
  'histograms',
  'hparams',
  'graphs',
  'projector',
  'pr_curves',
  'custom_scalars',
  'mesh',
  'profile',
  'tensors',
]
const CARD = cardWord(DASHBOARDS)

const SCALE = word('linear', 'log', 'symlog')

const CHARTS = many('chart', ownChart())

const FACTS: { readonly [Name in keyof ViewValues]: Fact<ViewValues[Name]> } = {
  dashboard: one('tab', text),
  runFilter: one('runFilter', text),
  tagFilter: one('tagFilter', text),
  choice: {
    name: 'runs',
    read(values) {
      const listed = (mark: string): string[] =>
        values.filter((value) => value.startsWith(mark)).map((value) => value.slice(1))
      const base = values.find((value) => value === 'all' || value === 'none') ?? 'start'
      return { base: base === 'all' || base === 'none' ? base : 'start', shown: listed('+'), hidden: listed('-') }
    },
    write: ({ base, shown, hidden }) => [
      ...(base === 'start' ? [] : [base]),
      ...shown.map((run) => `+${run}`),
      ...hidden.map((run) => `-${run}`),
    ],
  },
  groupBy: one('group', {
    read(value): GroupBy | undefined {
      if (value === 'none' || value === 'folder' || value === 'seed') return { kind: value }
      const rest = value.slice(value.indexOf(':') + 1)
      if (value.startsWith('regex:')) return { kind: 'regex', pattern: rest }
      return value.startsWith('hparam:') ? { kind: 'hparam', name: rest } : undefined
    },
    write(by) {
      if (by.kind === 'regex') return `regex:${by.pattern}`
      return by.kind === 'hparam' ? `hparam:${by.name}` : by.kind
    },
  }),
  colourBy: {
    name: 'colour',
    read([value, brush]): ColourBy | undefined {
      if (value === undefined || value === 'run' || value === 'group')
        return value === undefined ? undefined : { kind: value }
      const rest = value.slice(value.indexOf(':') + 1)
      if (value.startsWith('regex:')) return { kind: 'regex', pattern: rest }
      if (!value.startsWith('column:')) return undefined
      const brushed = brush === undefined ? undefined : range.read(before(brush, ';'))
      if (brush === undefined || brushed === undefined) return { kind: 'column', column: rest }
      return { kind: 'column', column: rest, brush: { column: brush.slice(brush.indexOf(';') + 1), range: brushed } }
    },
    write(by) {
      if (by.kind === 'regex') return [`regex:${by.pattern}`]
      if (by.kind !== 'column') return [by.kind]
      return [
        `column:${by.column}`,
        ...(by.brush === undefined ? [] : [`${range.write(by.brush.range)};${by.brush.column}`]),
      ]
    },
  },
  sortBy: maybe('sort', {
    read(value) {
      const order = before(value, ':')
      return order === 'asc' || order === 'desc'
        ? { column: value.slice(order.length + 1), descending: order === 'desc' }
        : undefined
    },
    write: ({ column, descending }) => `${descending ? 'desc' : 'asc'}:${column}`,
  }),
  smoothing: one('smoothing', {
    // A number is what TensorBoard writes.
    read: (value) => (number(value) === undefined ? value : number(value) === 0 ? 'none' : `ema:${value}`),
    write: (value) => {
      const weight = value.startsWith('ema:') ? value.slice(4) : ''
      return (number(weight) ?? 0) === 0 ? value : weight
    },
  }),
  x: one('x', {
    read(value): XAxis | undefined {
      if (value.startsWith('tag:')) return { tag: value.slice(4) }
      return value === 'step'
        ? 'step'
        : value === 'relative'
          ? 'relative_time'
          : value === 'wall'
            ? 'wall_time'
            : undefined
    },
    write: (x) => (typeof x === 'object' ? `tag:${x.tag}` : x.replace('_time', '')),
  }),
  xScale: one('xScale', SCALE),
  yScale: one('yScale', SCALE),
  yScales: keyed('scale', SCALE, CARD),
  ignoreOutliers: {
    name: 'outliers',
    read: ([value]) => value !== '1',
    write: (isIgnored) => (isIgnored ? [] : ['1']),
  },
  window: maybe('window', range),
  isLinked: flag('linked'),
  zooms: keyed('zoom', zoom(), CARD),
  selected: maybe('at', {
    read(value) {
      const from = number(value)
      if (from !== undefined) return { from, to: null }
      const both = range.read(value)
      return both === undefined ? undefined : { from: both[0], to: both[1] }
    },
    write: ({ from, to }) => (to === null ? String(from) : range.write([from, to])),
  }),
  aggregate: maybe('bands', aggregate()),
  pinnedCards: {
    name: 'pin',
    // No pins at all is not the same as the pins that everybody has.
    read: (values) => {
      const named = values.filter((value) => value.startsWith('+')).map((value) => CARD.read(value.slice(1)))
      return [...new Set(named.filter((id) => id !== undefined))]
    },
    write: (cards) =>
      cards === null ? [] : cards.length === 0 ? ['none'] : cards.map((card) => `+${CARD.write(card)}`),
  },
  charts: {
    ...CHARTS,
    // A link that was put together by hand may say the same twice; two cards of one id cannot be drawn.
    read: (values) => [...new Map(CHARTS.read(values)?.map((chart) => [chart.id, chart])).values()],
  },
  yRanges: many('yRange', {
    read(value): YRange | undefined {
      const read = range.read(before(value, ';'))
      return read === undefined ? undefined : { pattern: value.slice(value.indexOf(';') + 1), range: read }
    },
    write: ({ pattern, range: values }) => `${range.write(values)};${pattern}`,
  }),
  full: maybe('full', CARD),
  collapsed: many('closed', groupWord(DASHBOARDS)),
  isTable: flag('table'),
}

function zoom(): Word<Zoom> {
  const edge = (text: string): Zoom['x'] | undefined => (text === '*' ? null : range.read(text))
  return {
    read(value) {
      const [x, y] = value.split(',').map(edge)
      return x === undefined || y === undefined ? undefined : { x, y }
    },
    write: ({ x, y }) => [x, y].map((axis) => (axis === null ? '*' : range.write(axis))).join(','),
  }
}

function aggregate(): Word<Aggregate> {
  const centres = word('mean', 'median', 'iqm')
  const bands = word('std', 'stderr', 'minmax', 'iqr', 'bootstrap', 'none')
  return {
    read(value) {
      const [first = '', second = '', third] = value.split(',')
      const [centre, band] = [centres.read(first), bands.read(second)]
      return centre === undefined || band === undefined ? undefined : { centre, band, members: third === 'members' }
    },
    write: ({ centre, band, members }) => [centre, band, ...(members ? ['members'] : [])].join(','),
  }
}

/** `id,2,train/loss,val/loss,lr * 10`: the number says how many of the rest are tags. */
function ownChart(): Word<OwnChart> {
  return {
    read(value) {
      const [id, size = '', ...sources] = split(value)
      const tags = number(size)
      return id === undefined || tags === undefined
        ? undefined
        : { id, tags: sources.slice(0, tags), expressions: sources.slice(tags) }
    },
    write: ({ id, tags, expressions }) => joined([id, String(tags.length), ...tags, ...expressions]),
  }
}

type Name = keyof ViewValues
const NAMES = Object.keys(FACTS) as readonly Name[]

function written<Key extends Name>(name: Key, value: ViewValues[Key]): readonly string[] {
  return FACTS[name].write(value)
}

/** The query of the address, with `?` before it unless there is nothing to say. */
export function writeLink({ values, others }: Link): string {
  const ours = NAMES.flatMap((name) => {
    const now = written(name, values[name])
    const isUsual =
      now.join('\0') === written(name, USUAL[name]).join('\0') && now.length === written(name, USUAL[name]).length
    return isUsual ? [] : now.map((value) => [FACTS[name].name, value] as const)
  })
  return format([...ours, ...others])
}

/** What an address says; `fragment` is where TensorBoard has its dashboard. */
export function readLink(query: string, fragment = ''): Link {
  const parameters = [...parse(query), ...legacy(fragment)].map(translated)
  const known = new Set<string>(NAMES.map((name) => FACTS[name].name))
  const others = parameters.filter(([name]) => !known.has(name))
  const read = <Key extends Name>(name: Key): ViewValues[Key] => {
    const given = parameters.filter(([parameter]) => parameter === FACTS[name].name).map(([, value]) => value)
    return (given.length === 0 ? undefined : FACTS[name].read(given)) ?? USUAL[name]
  }
  const values = Object.fromEntries(NAMES.map((name) => [name, read(name)])) as ViewValues
  const pins = others.filter(([name]) => name === 'pinnedCards').flatMap(([, value]) => tensorBoardPins(value))
  return {
    values: pins.length > 0 && values.pinnedCards === null ? { ...values, pinnedCards: [...new Set(pins)] } : values,
    others: others.filter(([name]) => name !== 'pinnedCards'),
  }
}

// --- TensorBoard's links ---

const TENSORBOARD: Readonly<Record<string, string>> = {
  timeseries: 'scalars',
  scalars: 'scalars',
  images: 'images',
  audio: 'audio',
  text: 'text',
  histograms: 'histograms',
  distributions: 'histograms',
  hparams: 'hparams',
  graphs: 'graphs',
  projector: 'projector',
  pr_curves: 'pr_curves',
  custom_scalars: 'custom_scalars',
  mesh: 'mesh',
  profile: 'profile',
}

/** Whether TensorBoard wrote it: `#scalars&_smoothingWeight=0.8`. */
export function isTensorBoards(fragment: string): boolean {
  return Object.hasOwn(TENSORBOARD, fragment.replace(/^#/, '').split('&')[0] ?? '')
}

function legacy(fragment: string): Parameters {
  if (!isTensorBoards(fragment)) return []
  const [name = '', ...rest] = fragment.replace(/^#/, '').split('&')
  const dashboard = TENSORBOARD[name] ?? name
  const names: Readonly<Record<string, string>> = {
    _smoothingWeight: 'smoothing',
    regexInput: 'runFilter',
    tagFilter: 'tagFilter',
    runFilter: 'runFilter',
  }
  const facts = parse(rest.join('&')).flatMap(([name, value]) => {
    const ours = names[name]
    if (ours !== undefined) return [[ours, value] as const]
    return name === '_ignoreYOutliers' && value === 'false' ? [['outliers', '1'] as const] : []
  })
  return dashboard === 'scalars' ? facts : [['tab', dashboard], ...facts]
}

/** `runColorGroup` in our words. */
function translated([name, value]: readonly [string, string]): readonly [string, string] {
  if (name !== 'runColorGroup') return [name, value]
  if (value.startsWith('regex')) return ['colour', `regex:${value.slice(value.indexOf(':') + 1)}`]
  return ['colour', value === 'experiment' ? 'group' : 'run']
}

/** Ids of the scalars among the pinned cards, written as JSON. */
function tensorBoardPins(value: string): readonly string[] {
  try {
    const cards: unknown = JSON.parse(value)
    if (!Array.isArray(cards)) return []
    return cards.flatMap((card: unknown) => {
      if (typeof card !== 'object' || card === null || !('tag' in card) || !('plugin' in card)) return []
      return card.plugin === 'scalars' && typeof card.tag === 'string' ? [cardId('scalars', card.tag)] : []
    })
  } catch {
    return []
  }
}
