// What the shell itself can do, by name and by key.
import { DASHBOARDS } from '../dashboards'
import { copy } from '../lib/clipboard'
import type { Address } from '../state/address.svelte'
import type { Command } from '../state/commands.svelte'
import type { Page } from '../state/page.svelte'
import type { XAxis } from '../state/view.svelte'
import type { Shell } from './shell.svelte'

const LETTERS: Readonly<Record<string, string>> = {
  scalars: 's',
  images: 'i',
  audio: 'a',
  text: 't',
  histograms: 'h',
  hparams: 'r',
  graphs: 'g',
  projector: 'e',
  profile: 'p',
}

const AXES: readonly XAxis[] = ['step', 'relative_time', 'wall_time']

export function shellCommands(page: Page, shell: Shell, address: Address): readonly Command[] {
  const { board, drawer, settings, theme, toasts, view } = page
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
    ...(isEnabled === undefined ? {} : { isEnabled }),
  })

  const copyLink = async (): Promise<void> => {
    const link = address.link()
    toasts.say(
      (await copy(link))
        ? 'Link copied: it shows what you see now.'
        : `The browser does not let the page copy. The link: ${link}`,
    )
  }

  const goToAxis = (x: XAxis): void => {
    view.set('window', null)
    view.set('x', x)
  }

  return [
    command('app.palette', 'Page', 'Go to or run a command', '$mod+k', () => {
      shell.open('palette')
    }),
    command('app.keys', 'Page', 'Show all keys', '?', () => {
      shell.open('keys')
    }),
    command('app.settings', 'Page', 'Settings', null, () => {
      shell.open('settings')
    }),
    command('app.theme', 'Page', 'Switch between light and dark', 't', () => {
      theme.toggle()
    }),
    command('app.theme-system', 'Page', 'Light or dark as the system is', null, () => {
      settings.set('theme', 'system')
    }),
    command('app.pause', 'Page', 'Pause, or go on', 'l', () => {
      board.setPaused(!board.isPaused)
    }),
    command('app.link', 'Page', 'Copy a link to this view', null, () => {
      void copyLink()
    }),
    command('app.save-view', 'Page', 'Save this view', null, () => {
      shell.open('save-view')
    }),
    command('app.reset-view', 'Page', 'Forget filters, zoom and choices: the view as it is usual', null, () => {
      address.open('')
    }),
    command(
      'app.damage',
      'Page',
      'Show what is damaged',
      null,
      () => {
        shell.open('damage')
      },
      () => (board.status?.damage.files ?? 0) > 0,
    ),
    command('app.rail', 'Page', 'Show or hide the runs', '[', () => {
      settings.set('isRailOpen', !settings.values.isRailOpen)
    }),
    command('app.drawer', 'Page', 'Show or hide settings and details', ']', () => {
      drawer.toggle()
    }),
    command('app.table', 'Page', 'Show the runs as a table, or not', 'Shift+R', () => {
      view.set('isTable', !view.values.isTable)
    }),
    command(
      'app.back',
      'Page',
      'Leave full size, or the table',
      'Escape',
      () => {
        if (view.values.full !== null) view.set('full', null)
        else view.set('isTable', false)
      },
      () => view.values.full !== null || view.values.isTable,
    ),
    command('axis.next', 'X axis', 'Next of step, relative and wall time', 'x', () => {
      const at = AXES.findIndex((axis) => axis === view.values.x)
      goToAxis(AXES[(at + 1) % AXES.length] ?? 'step')
    }),
    command('axis.step', 'X axis', 'Use the step as the x axis', null, () => {
      goToAxis('step')
    }),
    command('axis.relative', 'X axis', 'Use the time since the start as the x axis', null, () => {
      goToAxis('relative_time')
    }),
    command('axis.wall', 'X axis', 'Use the wall time as the x axis', null, () => {
      goToAxis('wall_time')
    }),
    command('axis.log', 'X axis', 'Logarithmic x axis, or not', null, () => {
      view.set('xScale', view.values.xScale === 'log' ? 'linear' : 'log')
    }),
    command(
      'axis.reset',
      'X axis',
      'Show all steps again',
      null,
      () => {
        view.set('window', null)
      },
      () => view.values.window !== null,
    ),
    ...DASHBOARDS.map(({ name, title }) => {
      const letter = LETTERS[name]
      return command(`go.${name}`, 'Go to', title, letter === undefined ? null : `g ${letter}`, () => {
        view.set('full', null)
        view.set('isTable', false)
        view.set('dashboard', name)
      })
    }),
  ]
}
