// One image with all of its pixels, loaded while a component shows it.
import { MOST_PIXELS, type Drawn, type PictureWish } from '../../media/pictures'
import type { Viewer } from './viewer.svelte'

const COPY = 512

export class WholePicture {
  /** Null until it is known; with an error in its facts, or with a bitmap that has all pixels. */
  drawn = $state.raw<Drawn | null>(null)

  /** For a component that is being made: `wish` may read state. */
  constructor(shared: Viewer, wish: () => PictureWish | null) {
    $effect(() => {
      const wanted = wish()
      if (wanted === null) {
        this.drawn = null
        return
      }
      let cancel: () => void = () => undefined
      // The copy says what is wrong with it, and is enough if it is small.
      const forCopy = shared.thumbnails.request({ ...wanted, size: COPY }, (copy) => {
        const { facts, bitmap } = copy
        if (bitmap === null || bitmap.width >= facts.width) this.drawn = copy
        else if (facts.width * facts.height > MOST_PIXELS) {
          this.drawn = { facts: { ...facts, error: 'Too large to compare' }, bitmap: null, isGrey: false }
        } else {
          cancel = shared.wholes.request(wanted, (whole) => {
            this.drawn = whole.bitmap === null ? whole : { ...copy, bitmap: whole.bitmap }
          })
        }
      })
      return () => {
        forCopy()
        cancel()
      }
    })
  }
}
