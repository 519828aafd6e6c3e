// Strokes against bindings, on several keyboards.
import { expect, test } from 'vitest'
import { matches, shown, type Stroke } from './keys'

function stroke(key: string, held: Partial<Stroke> = {}): Stroke {
  return { key, code: '', ctrlKey: false, metaKey: false, altKey: false, shiftKey: false, ...held }
}

test.each<[string, Stroke, boolean, boolean]>([
  ['k', stroke('k'), false, true],
  ['k', stroke('K'), false, true],
  ['k', stroke('K', { shiftKey: true }), false, false],
  ['k', stroke('k', { ctrlKey: true }), false, false],
  ['k', stroke('k', { altKey: true }), false, false],
  ['k', stroke('л', { code: 'KeyK' }), false, true],
  ['$mod+k', stroke('k', { ctrlKey: true }), false, true],
  ['$mod+k', stroke('k', { metaKey: true }), false, false],
  ['$mod+k', stroke('k', { metaKey: true }), true, true],
  ['$mod+k', stroke('k', { ctrlKey: true }), true, false],
  ['?', stroke('?', { shiftKey: true }), false, true],
  ['?', stroke('?'), false, true],
  ['/', stroke('/', { shiftKey: true }), false, true],
  ['Shift+ArrowLeft', stroke('ArrowLeft', { shiftKey: true }), false, true],
  ['ArrowLeft', stroke('ArrowLeft', { shiftKey: true }), false, false],
  ['Escape', stroke('Escape'), false, true],
  ['+', stroke('+', { shiftKey: true }), false, true],
  ['+', stroke('-'), false, false],
  ['Space', stroke(' '), false, true],
  ['$mod++', stroke('+', { ctrlKey: true }), false, true],
])('%s: %o is it (apple %s): %s', (binding, pressed, apple, is) => {
  expect(matches(binding, pressed, apple)).toBe(is)
})

test('bindings are written as people read them', () => {
  expect(['$mod+k', 'g s', 'Shift+ArrowLeft', 'Escape', '?', '+'].map((binding) => shown(binding, false))).toEqual([
    'Ctrl K',
    'g s',
    'Shift ←',
    'Esc',
    '?',
    '+',
  ])
  expect(shown('$mod+k', true)).toBe('⌘ K')
})
