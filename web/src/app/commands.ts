// What the shell itself can do, by name and by key.
import { DASHBOARDS } from '../dashboards'
import { copy } from '../lib/clipboard'
import type { Address } from '../state/address.svelte'
import type { Command } from '../state/commands.svelte'
import type { Page } from '../state/page.svelte'
import type { XAxis } from '../state/facts/core'
import type { Shell } from './shell.svelte'

/** Other words that people type for a command. */
const KEYWORDS: Readonly<Record<string, string>> = {
  'app.palette': 'search find',
  'app.keys': 'help hotkeys keys bindings',
  'app.settings': 'preferences options configure',
  'app.theme': 'light mode appearance night',
  'app.theme-system': 'light dark mode automatic',
  'app.pause': 'live stop freeze continue',
  'app.link': 'share url address',
  'app.save-view': 'bookmark store share',
  'app.print': 'paper pdf',
  'app.reset-view': 'clear default undo start over',
  'app.damage': 'errors corrupt broken problems',
  'moment.open': 'inspect step spike what happened around',
  'moment.open-panel': 'inspect step spike sidebar',
  'app.rail': 'sidebar hide show runs',
  'app.drawer': 'sidebar options details hide show',
  'app.table': 'compare hyper-parameters hide show',
  'axis.next': 'horizontal switch',
  'axis.step': 'x axis horizontal',
  'axis.relative': 'x axis horizontal duration elapsed',
  'axis.wall': 'x axis horizontal clock date',
  'axis.log': 'logarithmic scale x axis',
  'axis.reset': 'zoom out clear fit',
}

const AXES: readonly XAxis[] = ['step', 'relative_time', 'wall_time']

export function shellCommands(page: Page, shell: Shell, address: Address): readonly Command[] {
  const { board, drawer, moments, settings, theme, toasts, view } = page
  const command = (
    id: string,
    section: string,
    title: string,
    key: string | null,
    run: () => void,
    isEnabled?: () => boolean,
  ): Command => ({
    id,
    section,
    title,
    run,
    ...(key === null ? {} : { keys: [key] }),
    ...(KEYWORDS[id] === undefined ? {} : { keywords: KEYWORDS[id] }),
    ...(isEnabled === undefined ? {} : { isEnabled }),
  })

  const copyLink = async (): Promise<void> => {
    const link = address.link()
    toasts.say((await copy(link)) ? 'Link to this view copied.' : `The browser blocked copying. The link: ${link}`)
  }

  const goToAxis = (x: XAxis): void => {
    view.set('window', null)
    view.set('x', x)
  }

  const openMoment = (where: 'view' | 'panel'): void => {
    if (moments.isFull && where === 'view') moments.close()
    else if (moments.shown !== null) view.set('momentIn', where)
    else {
      const place = moments.here()
      if (place !== null) moments.open(place, where)
    }
  }

  return [
    command('app.palette', 'Page', 'Open command palette', '$mod+k', () => {
      shell.open('palette')
    }),
    command('app.keys', 'Page', 'Show keyboard shortcuts', '?', () => {
      shell.open('keys')
    }),
    command('app.settings', 'Page', 'Open settings', null, () => {
      shell.open('settings')
    }),
    command('app.theme', 'Page', 'Toggle dark theme', 't', () => {
      theme.toggle()
    }),
    command('app.theme-system', 'Page', 'Use system theme', null, () => {
      settings.set('theme', 'system')
    }),
    command('app.pause', 'Page', 'Pause or resume updates', 'l', () => {
      board.setPaused(!board.isPaused)
    }),
    command('app.link', 'Page', 'Copy link to view', null, () => {
      void copyLink()
    }),
    command('app.print', 'Page', 'Print all cards', '$mod+p', () => {
      void import('./print')
        .then(({ printAll }) => printAll(page))
        .catch(() => {
          page.toasts.say('The cards could not be printed. Reload the page and try again.')
        })
    }),
    command('app.save-view', 'Page', 'Save view', null, () => {
      shell.open('save-view')
    }),
    command('app.reset-view', 'Page', 'Reset view', null, () => {
      address.open('')
    }),
    command(
      'app.damage',
      'Page',
      'Show damaged files',
      null,
      () => {
        shell.open('damage')
      },
      () => (board.status?.damage.files ?? 0) > 0,
    ),
    command('app.rail', 'Page', 'Toggle run list', '[', () => {
      settings.set('isRailOpen', !settings.values.isRailOpen)
    }),
    command('app.drawer', 'Page', 'Toggle settings panel', ']', () => {
      drawer.toggle()
    }),
    command('app.table', 'Page', 'Toggle run table', 'Shift+R', () => {
      view.set('isTable', !view.values.isTable)
    }),
    command('moment.open', 'Page', 'This moment', 'm', () => {
      openMoment('view')
    }),
    command('moment.open-panel', 'Page', 'This moment in panel', 'Shift+M', () => {
      openMoment('panel')
    }),
    command(
      'app.back',
      'Page',
      'Back to charts',
      'Escape',
      () => {
        if (view.values.full !== null) view.set('full', null)
        else view.set('isTable', false)
      },
      () => view.values.full !== null || view.values.isTable,
    ),
    command('axis.next', 'X axis', 'Cycle x axis', 'x', () => {
      const at = AXES.findIndex((axis) => axis === view.values.x)
      goToAxis(AXES[(at + 1) % AXES.length] ?? 'step')
    }),
    command('axis.step', 'X axis', 'Plot against step', null, () => {
      goToAxis('step')
    }),
    command('axis.relative', 'X axis', 'Plot against relative time', null, () => {
      goToAxis('relative_time')
    }),
    command('axis.wall', 'X axis', 'Plot against wall time', null, () => {
      goToAxis('wall_time')
    }),
    command('axis.log', 'X axis', 'Toggle log x axis', null, () => {
      view.set('xScale', view.values.xScale === 'log' ? 'linear' : 'log')
    }),
    command(
      'axis.reset',
      'X axis',
      'Reset x range',
      null,
      () => {
        view.set('window', null)
      },
      () => view.values.window !== null,
    ),
    ...DASHBOARDS.map(({ name, title, key }) =>
      command(`go.${name}`, 'Go to', title, key === null ? null : `g ${key}`, () => {
        moments.closeView()
        view.set('full', null)
        view.set('isTable', false)
        view.set('dashboard', name)
      }),
    ),
  ]
}
