// What is asked for when the whole view is downloaded.
import { expect, test } from 'vitest'
import type { Entry } from '../../state/runs.svelte'
import { ownCard } from './own_charts'
import { scalarCard } from './sources'
import { viewQuery } from './view_downloads'

const run = (name: string): Entry => ({ name, parts: [] }) as unknown as Entry

test('every tag is asked for once, however many cards show it', () => {
  const cards = [scalarCard('loss'), ownCard({ id: '1', tags: ['loss', 'acc'], expressions: ['loss - acc'] })]
  expect(viewQuery(cards, [run('a'), run('b')], 'csv')).toEqual({
    cards: [
      { tag: 'loss', runs: ['a', 'b'] },
      { tag: 'acc', runs: ['a', 'b'] },
      { expression: 'loss - acc', runs: ['a', 'b'] },
    ],
    format: 'csv',
  })
})
