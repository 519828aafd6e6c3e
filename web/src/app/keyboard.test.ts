// Commands found by what is pressed, one stroke or two.
import { expect, test } from 'vitest'
import type { Stroke } from '../lib/keys'
import type { Command } from '../state/commands.svelte'
import { Keyboard } from './keyboard'

function command(id: string, keys: readonly string[], isEnabled = true): Command {
  return { id, keys, title: id, section: '', run: () => undefined, isEnabled: () => isEnabled }
}

function press(commands: readonly Command[], ...keys: readonly string[]): (string | null)[] {
  const keyboard = new Keyboard(() => commands, false)
  return keys.map((text, n) => {
    const [key = '', wait = '0'] = text.split('@')
    const stroke: Stroke = { key, code: '', ctrlKey: false, metaKey: false, altKey: false, shiftKey: false }
    const found = keyboard.press(stroke, 1_000_000 + n * 100 + Number(wait))
    return found === null || found === 'pending' ? found : found.id
  })
}

test('a stroke finds its command', () => {
  expect(press([command('a', ['x']), command('b', ['y', 'z'])], 'x', 'z', 'q')).toEqual(['a', 'b', null])
})

test('two strokes find theirs', () => {
  expect(press([command('scalars', ['g s']), command('save', ['s'])], 'g', 's', 's')).toEqual([
    'pending',
    'scalars',
    'save',
  ])
})

test('a stroke that does not continue a sequence starts a new one', () => {
  expect(press([command('scalars', ['g s']), command('x', ['x'])], 'g', 'x', 'g', 'g', 's')).toEqual([
    'pending',
    'x',
    'pending',
    'pending',
    'scalars',
  ])
})

test('two strokes with a long rest between them are two', () => {
  expect(press([command('scalars', ['g s']), command('save', ['s'])], 'g', 's@5000')).toEqual(['pending', 'save'])
})

test('what makes no sense now is passed over for what came before it', () => {
  expect(press([command('outer', ['Escape']), command('inner', ['Escape'], false)], 'Escape')).toEqual(['outer'])
  expect(press([command('outer', ['Escape']), command('inner', ['Escape'])], 'Escape')).toEqual(['inner'])
})
