// Which lines a card has, and what they are called.
import { expect, test } from 'vitest'
import type { Run } from '../../api/types'
import type { Entry } from '../../state/runs.svelte'
import { bandAsks, lineAsks, shownGroups } from './asks'
import { keyParts, sources, type Look } from './sources'

const look: Look = {
  title: (entry) => entry.toUpperCase(),
  style: () => ({ colour: '#123456', dash: 'solid', role: 'lead' }),
  isGrowing: () => false,
}
const question = { x: 'step', range: null, columns: 512, smoothing: 'none' } as const

function run(name: string): Run {
  // Only the name counts here.
  return { name } as Run
}

function entry(name: string, ...parts: Entry['parts']): Entry {
  return { name, run: run(name), parts }
}

const losses = entry(
  'a',
  { run: run('a/loss_train'), kind: 'scalars', label: 'train', tag: 'loss' },
  { run: run('a/loss_val'), kind: 'scalars', label: 'val', tag: 'loss' },
)

test('one tag has a line for each run, named as the run is', () => {
  const made = sources({ tags: ['loss'], expressions: [] }, [entry('a'), entry('b')], look)
  expect(made.map(({ key, label, entry: of }) => [key, label, of])).toEqual([
    ['a\0loss', 'A', 'a'],
    ['b\0loss', 'B', 'b'],
  ])
})

test('parts of add_scalars are lines of their run, told apart by label and dash', () => {
  const made = sources({ tags: ['loss'], expressions: [] }, [losses], look)
  expect(made.map(({ run: from, entry: of, label, style }) => [from, of, label, style.dash])).toEqual([
    ['a', 'a', 'A', 'solid'],
    ['a/loss_train', 'a', 'A: train', 'solid'],
    ['a/loss_val', 'a', 'A: val', 'dashed'],
  ])
  expect(sources({ tags: ['acc'], expressions: [] }, [losses], look)).toHaveLength(1)
})

test('what add_hparams wrote is called as its run', () => {
  const tried = entry('a', { run: run('a/1'), kind: 'hparams', label: '1', tag: null })
  expect(sources({ tags: ['acc'], expressions: [] }, [tried], look).map(({ label }) => label)).toEqual(['A', 'A'])
})

test('several tags in one chart are told apart by dash and name', () => {
  const made = sources({ tags: ['x', 'y'], expressions: ['x - y'] }, [entry('a')], look)
  expect(made.map(({ label, style }) => [label, style.dash])).toEqual([
    ['A · x', 'solid'],
    ['A · y', 'dashed'],
    ['A · x - y', 'dotted'],
  ])
})

test('a key holds run and tag', () => {
  expect(keyParts('a/b\0train/loss')).toEqual(['a/b', 'train/loss'])
})

test('each tag and expression is asked for once, with the runs that have it', () => {
  const spec = { tags: ['loss'], expressions: ['loss * 2'] }
  const asks = lineAsks(spec, sources(spec, [losses, entry('b')], look), question)
  expect(asks.map(({ source, runs }) => [source, runs])).toEqual([
    [{ tag: 'loss' }, ['a', 'a/loss_train', 'a/loss_val', 'b']],
    [{ expression: 'loss * 2' }, ['a', 'b']],
  ])
})

test('groups ask for bands of their shown runs, and for an interval only where it is drawn', () => {
  const groups = [
    { key: 'g', name: 'G', entries: [entry('a'), entry('b')], isRest: false },
    { key: 'h', name: 'H', entries: [entry('c')], isRest: false },
  ]
  const shown = shownGroups(groups, (name) => name === 'b')
  const spec = { tags: ['loss'], expressions: [] }
  const [ask] = bandAsks(spec, shown, { centre: 'median', band: 'bootstrap', members: true }, question)
  expect(ask?.groups).toEqual([{ name: 'g', runs: ['b'] }])
  expect(ask?.bootstrap).toBe('median')
  expect(bandAsks(spec, shown, { centre: 'mean', band: 'std', members: true }, question)[0]?.bootstrap).toBeNull()
})
