// The page on paper: the cards of all open groups, also those that were never on the screen, and one legend.
import { flushSync } from 'svelte'
import { legendOfView } from '../cards/legend'
import { setMinRatio } from '../charts/plot/surface'
import { frames } from '../lib/frames'
import type { Dash, LegendItem } from '../lib/traces'
import type { Page } from '../state/page.svelte'
import './print.css'

/** Of what is not drawn yet, or not with the data it needs. */
const UNFINISHED = ['waiting', 'away', 'loading'].map((state) => `[data-state=${state}]`)
const PENDING = [...UNFINISHED, '[data-current=false]', '[aria-busy=true]'].join(', ')
const POLL_MILLIS = 50
/** Cards that have been finished for so long request nothing more. */
const SETTLED_MILLIS = 400
/** What takes longer is printed as it is. */
const PATIENCE_MILLIS = 60_000
/** More of them as sharp as paper would take more memory than a tab has. */
const MOST_SHARP = 150
const SHARP = 2

/**
 * Loads and draws the cards of all open groups, then opens the browser's print dialog. A group prints as many cards as it lists, and
 * says how many more it has. The page is as before when the dialog is closed.
 */
export async function printAll(page: Page): Promise<void> {
  const { cards, printing, toasts } = page
  if (printing.isOn) return
  const root = document.documentElement
  const areas = [...document.querySelectorAll('[data-scroll]')].map((area) => [area, area.scrollTop] as const)
  toasts.say('Loading all cards for printing…')
  root.dataset.printing = 'all'
  flushSync(() => {
    printing.isOn = true
  })
  setMinRatio(document.querySelectorAll('[data-card]').length > MOST_SHARP ? 1 : SHARP)
  let head: HTMLElement | null = null
  const restore = (): void => {
    head?.remove()
    setMinRatio(1)
    delete root.dataset.printing
    flushSync(() => {
      printing.isOn = false
    })
    for (const [area, top] of areas) area.scrollTop = top
  }
  try {
    await settled(() => document.querySelector('main'))
    head = addHead(legendOfView(page, cards.all), '')
  } catch (error) {
    restore()
    throw error
  }
  whenPrinted(restore)
  window.print()
}

/** For printing from the browser's menu, which does not wait: what is on the screen, and a hint how to print the rest. Returns a function that ends it. */
export function followPrinting(page: Page): () => void {
  const { cards, printing } = page
  const begin = (): void => {
    if (printing.isOn) return
    const root = document.documentElement
    root.dataset.printing = 'screen'
    const note =
      'Only cards that were on the screen are included. To print all of them, choose “Print all cards” in the board menu.'
    const head = addHead(legendOfView(page, cards.all), note)
    window.addEventListener(
      'afterprint',
      () => {
        head.remove()
        delete root.dataset.printing
      },
      { once: true },
    )
  }
  window.addEventListener('beforeprint', begin)
  return () => {
    window.removeEventListener('beforeprint', begin)
  }
}

/** Some browsers do not wait for the dialog, and may not say when it is closed: then the first click or key shows that it is. */
function whenPrinted(restore: () => void): void {
  const events = ['afterprint', 'pointerdown', 'keydown']
  const end = (): void => {
    for (const event of events) window.removeEventListener(event, end, true)
    restore()
  }
  for (const event of events) window.addEventListener(event, end, true)
}

/** When everything in `area` is drawn, or after a minute. */
async function settled(area: () => HTMLElement | null): Promise<void> {
  const started = performance.now()
  let busyAt = started
  for (let now = started; now - busyAt < SETTLED_MILLIS && now - started < PATIENCE_MILLIS; now = performance.now()) {
    await new Promise((resolve) => setTimeout(resolve, POLL_MILLIS))
    if (!isFinished(area())) busyAt = performance.now()
  }
}

function isFinished(area: HTMLElement | null): boolean {
  if (area === null || !frames.isIdle) return false
  // What is behind a table of its data has no size, and is not drawn.
  const pending = [...area.querySelectorAll<HTMLElement>(PENDING)].some((element) => element.offsetHeight > 0)
  return !pending && [...area.querySelectorAll('img')].every((image) => image.complete)
}

function addHead(legend: readonly LegendItem[], note: string): HTMLElement {
  const head = document.createElement('div')
  head.className = 'paper-head'
  const title = document.createElement('p')
  title.textContent = [document.title, document.querySelector('h1')?.textContent.trim() ?? '']
    .filter((part) => part !== '')
    .join(', ')
  const list = document.createElement('ul')
  list.append(...legend.map(legendRow))
  head.append(title, list)
  if (note !== '') head.append(Object.assign(document.createElement('p'), { textContent: note }))
  document.querySelector('main')?.prepend(head)
  return head
}

const STYLES: Readonly<Record<Dash, string>> = {
  solid: 'solid',
  dashed: 'dashed',
  dotted: 'dotted',
  'dash-dotted': 'dashed',
}

function legendRow({ label, style }: LegendItem): HTMLElement {
  const row = document.createElement('li')
  const swatch = document.createElement('i')
  swatch.style.borderTop = `2px ${STYLES[style.dash]} ${style.colour}`
  row.append(swatch, label)
  return row
}
