// Gaps of damaged files come, and go when a file is mended.
import { flushSync } from 'svelte'
import { expect, test, vi } from 'vitest'
import type { Page } from '../../state/page.svelte'
import { Annotations } from './annotations.svelte'

const FILE = {
  run: 'a',
  broken_tail: true,
  gaps: [
    { offset: 9, bytes: 4, step_before: 10, step_after: 20 },
    { offset: 99, bytes: 4, step_before: 48, step_after: null },
  ],
}

class Fake {
  damage = $state.raw({ files: 1, skipped_bytes: 8, bad_records: 2 })
  readonly asked = vi.fn(() => Promise.resolve({ files: [FILE] }))
  readonly selection = { shown: [] }
  readonly runs = { byName: new Map([['a', { run: { restarts: 0 } }]]) }
  readonly client = { damage: this.asked }
  readonly board: { readonly status: { readonly damage: unknown } }

  constructor() {
    const damage = (): unknown => this.damage
    this.board = {
      status: {
        get damage() {
          return damage()
        },
      },
    }
  }
}

async function settled(): Promise<void> {
  flushSync()
  for (let n = 0; n < 5; n++) await Promise.resolve()
}

test('gaps, also at the end of a file, are marked until the files are whole', async () => {
  const page = new Fake()
  let made: Annotations | undefined
  const stop = $effect.root(() => {
    made = new Annotations(page as unknown as Page)
  })
  await settled()
  expect(made?.gaps.get('a')).toEqual([
    { from: 10, to: 20 },
    { from: 48, to: null },
    { from: null, to: null },
  ])
  page.damage = { files: 0, skipped_bytes: 0, bad_records: 0 }
  await settled()
  expect(made?.gaps.size).toBe(0)
  expect(page.asked).toHaveBeenCalledTimes(1)
  stop()
})
