// Server-sent events come in pieces of any size and with any line ends.
import { expect, test } from 'vitest'
import { EventParser } from './events'

const STREAM =
  'retry: 1000\n\nevent: hello\nid: x.1\ndata: {"a":1}\n\n: heartbeat\n\ndata: two\ndata:  lines\nid\nunknown: y\n\nevent: cut\ndata: never'
const EVENTS = [
  { name: 'hello', data: '{"a":1}', id: 'x.1' },
  { name: 'message', data: 'two\n lines', id: '' },
]

test.each(['\n', '\r\n', '\r'])('line end %j', (end) => {
  const text = STREAM.replaceAll('\n', end)
  expect(new EventParser().push(text)).toEqual(EVENTS)
  for (let cut = 1; cut < text.length; cut++) {
    const parser = new EventParser()
    expect([...parser.push(text.slice(0, cut)), ...parser.push(text.slice(cut))]).toEqual(EVENTS)
  }
})

test('an id stays in force until there is another', () => {
  const events = new EventParser().push('id: 7\ndata: a\n\ndata: b\n\nid: 8\n\ndata: c\n\n')
  expect(events.map((event) => event.id)).toEqual(['7', '7', '8'])
})
