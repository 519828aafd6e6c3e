// Numbers, sizes, times and paths as people read them.
import { expect, test } from 'vitest'
import { ago, baseName, bytes, count, counted, moment, shellWord, sentence } from './format'

test('counts have commas and their noun the right number', () => {
  expect(count(1234567)).toBe('1,234,567')
  expect([0, 1, 1200].map((n) => counted(n, 'run'))).toEqual(['0 runs', '1 run', '1,200 runs'])
})

test.each([
  [0, '0 B'],
  [999, '999 B'],
  [1000, '1.00 kB'],
  [9_994, '9.99 kB'],
  [9_996, '10.0 kB'],
  [99_960, '100 kB'],
  [999_499, '999 kB'],
  [999_500, '1.00 MB'],
  [412_000_000, '412 MB'],
  [1_314_000_000, '1.31 GB'],
  [5e18, '5000 PB'],
])('%d bytes are %s', (value, shown) => {
  expect(bytes(value)).toBe(shown)
})

test.each([
  [-5, 'now'],
  [9, 'now'],
  [59, '59 s ago'],
  [60, '1 min ago'],
  [3599, '59 min ago'],
  [47 * 3600, '47 h ago'],
  [48 * 3600, '2 d ago'],
  [86400 * 1500, '1,500 d ago'],
])('%d seconds are %s', (seconds, shown) => {
  expect(ago(1_700_000_000, 1_700_000_000 + seconds)).toBe(shown)
})

test('a time that no calendar has is null', () => {
  expect(moment(1_700_000_000)?.toISOString()).toBe('2023-11-14T22:13:20.000Z')
  expect([NaN, Infinity, 1e300].map(moment)).toEqual([null, null, null])
})

test.each([
  ['runs/lr=0.1', 'runs/lr=0.1'],
  ['my runs', "'my runs'"],
  ["it's", `'it'"'"'s'`],
  ['$(reboot)', "'$(reboot)'"],
  ['', "''"],
])('%s is one word to a shell', (path, word) => {
  expect(shellWord(path)).toBe(word)
})

test('the last part of a path is its name', () => {
  expect(['/data/runs/', 'runs', '/', 'a\\b'].map(baseName)).toEqual(['runs', 'runs', '', 'b'])
})

test.each([
  ['the server is busy', 'The server is busy.'],
  ['Already a sentence.', 'Already a sentence.'],
  ['trying again…', 'Trying again…'],
])('%s as a sentence', (message, expected) => {
  expect(sentence(message)).toBe(expected)
})

test('a noun with an irregular plural', () => {
  expect([counted(1, 'directory', 'directories'), counted(2, 'directory', 'directories')]).toEqual([
    '1 directory',
    '2 directories',
  ])
})
