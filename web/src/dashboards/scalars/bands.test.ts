// Middle and band of a group.
import { expect, test } from 'vitest'
import type { LoadedBand } from '../../state/lines.svelte'
import { spread } from './bands'

const band: LoadedBand = {
  group: 'g',
  tag: 't',
  runs: 3,
  x: Int32Array.of(0, 1),
  count: Int32Array.of(3, 1),
  mean: Float64Array.of(2, 3),
  median: Float64Array.of(1, 3),
  iqm: Float64Array.of(1.5, 3),
  min: Float64Array.of(0, 3),
  max: Float64Array.of(5, 3),
  std: Float64Array.of(1, NaN),
  stderr: Float64Array.of(0.5, NaN),
  q25: Float64Array.of(0.5, 3),
  q75: Float64Array.of(4, 3),
  bootLow: null,
  bootHigh: null,
}

test.each([
  ['mean', 'std', [2, 3], [1, 3], [3, 3]],
  ['mean', 'stderr', [2, 3], [1.5, 3], [2.5, 3]],
  ['median', 'minmax', [1, 3], [0, 3], [5, 3]],
  ['iqm', 'iqr', [1.5, 3], [0.5, 3], [4, 3]],
  ['mean', 'none', [2, 3], [2, 3], [2, 3]],
  ['mean', 'bootstrap', [2, 3], [2, 3], [2, 3]],
] as const)('%s with %s', (centre, kind, middle, low, high) => {
  const made = spread(band, { centre, band: kind, members: false })
  expect([[...made.centre], [...made.low], [...made.high]]).toEqual([middle, low, high])
})

test('an interval that came is drawn', () => {
  const made = spread(
    { ...band, bootLow: Float64Array.of(1, 3), bootHigh: Float64Array.of(4, 3) },
    { centre: 'mean', band: 'bootstrap', members: false },
  )
  expect([...made.high]).toEqual([4, 3])
})
