// What the meshes of the board have in common: the camera, what it looks at, and what is shown.
import { untrack } from 'svelte'
import { SvelteMap } from 'svelte/reactivity'
import type { MeshData } from '../../api/mesh'
import {
  axisView,
  fitted,
  frameOf,
  START,
  union,
  type AxisView,
  type Frame,
  type Orbit,
} from '../../charts/mesh/camera'
import type { FactAccess, View } from '../../state/view.svelte'
import { itemKey, meshFacts } from './facts'

interface KnownFrame {
  readonly frame: Frame
  /** Whether all runs were there. */
  readonly isWhole: boolean
  /** How often people had asked to fit. */
  readonly fits: number
}

export class Stage {
  readonly facts: FactAccess<typeof meshFacts>
  readonly #frames = new SvelteMap<string, KnownFrame>()
  /** What each run shows of each mesh, by `itemKey`; null for what cannot be read. */
  readonly #shown = new SvelteMap<string, MeshData | null>()
  #fits = $state(0)
  /** The item that was last pointed at or had the focus. */
  active: string | null = null

  constructor(view: View) {
    this.facts = view.facts(meshFacts)
  }

  // --- what is shown ---

  show(name: string, run: string, mesh: MeshData | null): void {
    this.#shown.set(itemKey(name, run), mesh)
  }

  /** Undefined until it is loaded, null if it cannot be read. */
  shown(name: string, run: string): MeshData | null | undefined {
    return this.#shown.get(itemKey(name, run))
  }

  // --- what the camera looks at ---

  /** Undefined until the first of its runs is there. */
  frame(name: string): Frame | undefined {
    return this.#frames.get(name)?.frame
  }

  /** A mesh keeps the frame of its first picture, so that it does not jump while steps are compared; for an effect. */
  settle(name: string, meshes: readonly MeshData[], isWhole: boolean): void {
    const fits = this.#fits
    const bounds = union(meshes.map((mesh) => mesh.bounds))
    untrack(() => {
      const known = this.#frames.get(name)
      if ((known?.isWhole === true && known.fits === fits) || bounds === null) return
      this.#frames.set(name, { frame: frameOf(bounds), isWhole, fits })
    })
  }

  // --- the camera ---

  /** Null for the one that was logged. */
  camera(name: string, run: string): Orbit | null {
    const { isOwn, camera, cameras } = this.facts.values
    const key = itemKey(name, run)
    return (isOwn && Object.hasOwn(cameras, key) ? cameras[key] : undefined) ?? camera
  }

  move(name: string, run: string, orbit: Orbit): void {
    this.#move(itemKey(name, run), orbit)
  }

  #move(key: string | null, orbit: Orbit): void {
    const { isOwn, cameras } = this.facts.values
    if (isOwn && key !== null) this.facts.set('cameras', { ...cameras, [key]: orbit })
    else this.facts.set('camera', orbit)
  }

  /** Of the item that is used, or of all. */
  #change(change: (orbit: Orbit) => Orbit): void {
    const { isOwn, camera, cameras } = this.facts.values
    const key = isOwn ? this.active : null
    if (isOwn && key === null) this.facts.set('cameras', {})
    const own = key !== null && Object.hasOwn(cameras, key) ? cameras[key] : undefined
    this.#move(key, change(own ?? camera ?? START))
  }

  /** Everything in sight again: also what has moved out of the frame with later steps. */
  fit(): void {
    this.#fits++
    this.#change(fitted)
  }

  look(from: AxisView): void {
    const { up } = this.facts.values
    this.#change((orbit) => axisView(orbit, from, up))
  }

  /** As logged, or from a corner. */
  reset(): void {
    this.facts.set('camera', null)
    this.facts.set('cameras', {})
  }
}
