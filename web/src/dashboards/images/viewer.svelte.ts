// What all images on the page share: loaders, zoom, adjustments, and the pixel under the pointer.
import { getContext, setContext } from 'svelte'
import { SvelteMap } from 'svelte/reactivity'
import type { PictureFacts } from '../../api/images'
import { thumbnails, wholes, type Thumbnails, type Wholes } from '../../media/pictures'
import { WHOLE, type Rect, type Size, type Zoom } from '../../media/place'
import type { Page } from '../../state/page.svelte'
import type { FactAccess } from '../../state/view.svelte'
import { isPlain } from './adjust'
import { imageFacts } from './facts'

/** An image that is drawn now, for the download of all of them. */
export interface Shown {
  readonly instance: string
  readonly address: string
  readonly item: number
  /** `val/prediction/unet step 500` */
  readonly name: string
}

/** What is under the pointer: parts of width and height of the images of a tag. */
export interface Hover {
  readonly tag: string
  readonly at: readonly [number, number]
}

export const GREY_FILTER = 'images-grey'
export const COLOUR_FILTER = 'images-colour'

export class Viewer {
  readonly page: Page
  readonly facts: FactAccess<typeof imageFacts>
  readonly thumbnails: Thumbnails
  readonly wholes: Wholes
  hover = $state.raw<Hover | null>(null)
  /** The part that the large view shows of images of this size, as parts of width and height; null if that is all. */
  frame = $state.raw<{ readonly picture: Size; readonly part: Rect } | null>(null)
  /** How many images a step of a tag has at most, as far as was seen. */
  readonly #items = new SvelteMap<string, number>()
  readonly #sizes = new SvelteMap<string, string>()
  readonly #shown = new Set<Shown>()

  constructor(page: Page) {
    this.page = page
    this.facts = page.view.facts(imageFacts)
    this.thumbnails = thumbnails(page.client)
    this.wholes = wholes(page.client)
  }

  readonly zoom = $derived.by<Zoom>(() => this.facts.values.zoom ?? WHOLE)

  setZoom({ scale, x, y }: Zoom): void {
    this.facts.set('zoom', scale === null ? null : { scale, x, y })
  }

  /** The style of an image; false colours are for those with one channel. */
  filter(isGrey: boolean): string | undefined {
    const { palette, ...others } = this.facts.values
    if (isGrey && palette !== 'none') return `url(#${GREY_FILTER})`
    return isPlain(others) ? undefined : `url(#${COLOUR_FILTER})`
  }

  itemsOf(tag: string): number {
    return this.#items.get(tag) ?? 1
  }

  noticed(tag: string, facts: PictureFacts): void {
    if (facts.items > this.itemsOf(tag)) this.#items.set(tag, facts.items)
    if (facts.error === null && !this.#sizes.has(tag)) this.#sizes.set(tag, sizeText(facts))
  }

  /** `256 × 256, RGB`: the size of the first image of a tag that was seen. */
  sizeOf(tag: string): string {
    return this.#sizes.get(tag) ?? ''
  }

  /** Of the tags that were seen. */
  readonly mostItems = $derived.by(() => Math.max(1, ...this.#items.values()))

  /** Until the returned function is called. */
  show(picture: Shown): () => void {
    this.#shown.add(picture)
    return () => {
      this.#shown.delete(picture)
    }
  }

  /** Each once. */
  get shown(): readonly Shown[] {
    return [...new Map([...this.#shown].map((one) => [`${one.address} ${String(one.item)}`, one])).values()]
  }
}

const KINDS = ['', 'grey', 'grey with alpha', 'RGB', 'RGBA']

export function kindOf({ channels }: PictureFacts): string {
  return KINDS[channels] ?? ''
}

export function sizeText(facts: PictureFacts): string {
  const depth = facts.bitDepth === 8 ? '' : `, ${String(facts.bitDepth)} bit`
  return `${String(facts.width)} × ${String(facts.height)}, ${kindOf(facts)}${depth}`
}

const KEY = Symbol('viewer')

export function provideViewer(viewer: Viewer): void {
  setContext(KEY, viewer)
}

export function viewer(): Viewer {
  return getContext<Viewer>(KEY)
}
