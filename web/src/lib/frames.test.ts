// Drawings get their turn: the urgent first, no more than a frame can hold.
import { expect, test } from 'vitest'
import { Frames } from './frames'

/** Frames that run on request, on a clock that drawings advance. */
function scene() {
  const requests: (() => void)[] = []
  let time = 0
  const drawn: string[] = []
  const frames = new Frames(
    (callback) => requests.push(callback),
    () => time,
  )
  const drawing = (name: string, urgency: number, cost: number) => ({
    draw: () => {
      drawn.push(name)
      time += cost
    },
    urgency: () => urgency,
  })
  const frame = () => {
    const callback = requests.shift()
    callback?.()
    return drawn.splice(0)
  }
  return { frames, drawing, frame, requests, drawn }
}

test('the most urgent are drawn first, until the frame is used up', () => {
  const { frames, drawing, frame, requests } = scene()
  frames.ask(drawing('far', 900, 3))
  frames.ask(drawing('near', 10, 3))
  frames.ask(drawing('middle', 100, 3))
  expect(requests).toHaveLength(1)
  expect(frame()).toEqual(['near', 'middle'])
  expect(frame()).toEqual(['far'])
  expect(requests).toHaveLength(0)
})

test('asking twice draws once, and what is forgotten is not drawn', () => {
  const { frames, drawing, frame } = scene()
  const [once, never] = [drawing('once', 1, 0), drawing('never', 2, 0)]
  frames.ask(once)
  frames.ask(once)
  frames.ask(never)
  frames.forget(never)
  expect(frame()).toEqual(['once'])
})

test('a drawing that costs more than a frame is drawn all the same', () => {
  const { frames, drawing, frame } = scene()
  frames.ask(drawing('huge', 0, 50))
  frames.ask(drawing('small', 1, 1))
  expect(frame()).toEqual(['huge'])
  expect(frame()).toEqual(['small'])
})

test('what follows the pointer comes before everything, whatever it costs', () => {
  const { frames, drawing, frame, drawn } = scene()
  frames.ask(drawing('chart', 0, 9))
  frames.next(() => drawn.push('cursor'))
  expect(frame()).toEqual(['cursor', 'chart'])
})

test('one that fails does not take the others with it', () => {
  const { frames, drawing, frame, requests } = scene()
  frames.ask({
    draw: () => {
      throw new Error('torn')
    },
    urgency: () => 0,
  })
  frames.ask(drawing('next', 1, 0))
  expect(frame).toThrow('torn')
  expect(requests).toHaveLength(1)
  expect(frame()).toEqual(['next'])
})

test('a callback that fails does not take the turn of the others', () => {
  const { frames, frame, drawn } = scene()
  frames.next(() => {
    throw new Error('broken')
  })
  frames.next(() => {
    drawn.push('other')
  })
  expect(frame).toThrow('broken')
  expect(frame()).toEqual(['other'])
})
