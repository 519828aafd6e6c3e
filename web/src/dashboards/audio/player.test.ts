// One clip at a time, at a common position, at equal loudness.
import { expect, test } from 'vitest'
import { Player, type Sound } from './player.svelte'

class FakeSound implements Sound {
  currentTime = 0
  volume = 1
  paused = true
  play(): Promise<void> {
    this.paused = false
    return Promise.resolve()
  }
  pause(): void {
    this.paused = true
  }
}

function playerOf(...loudness: (number | null)[]): { player: Player; sounds: FakeSound[] } {
  const player = new Player()
  const sounds = loudness.map((one, at) => {
    const sound = new FakeSound()
    player.add(String(at), { sound, seconds: 4, loudness: one })
    return sound
  })
  return { player, sounds }
}

test('another clip continues where the first was', () => {
  const { player, sounds } = playerOf(-20, -20)
  player.toggle()
  expect([player.playing, sounds[0]?.paused]).toEqual(['0', false])
  if (sounds[0]) sounds[0].currentTime = 1.5
  player.follow()
  player.toggle('1')
  expect(sounds.map(({ paused }) => paused)).toEqual([true, false])
  expect([player.playing, sounds[1]?.currentTime]).toEqual(['1', 1.5])
  player.toggle()
  expect([player.playing, sounds[1]?.paused]).toEqual([null, true])
})

test('A/B goes back and forth between the last two clips', () => {
  const { player } = playerOf(-20, -20, -20)
  player.play('2')
  player.switch()
  expect(player.playing).toBe('0')
  player.switch()
  expect(player.playing).toBe('2')
  player.play('1')
  player.switch()
  player.switch()
  expect(player.playing).toBe('1')
})

test('louder clips are turned down to the quietest, but not to nothing', () => {
  const { player, sounds } = playerOf(-10, -16, null)
  expect([player.gain('0'), player.gain('1'), player.gain('2')]).toEqual([-6, 0, 0])
  expect(sounds[0]?.volume).toBeCloseTo(0.501, 3)
  const silent = new FakeSound()
  player.add('3', { sound: silent, seconds: 1, loudness: -70 })
  expect(player.gain('0')).toBe(-24)
  player.setEqual(false)
  expect(sounds[0]?.volume).toBe(1)
})

test('a part is repeated', () => {
  const { player, sounds } = playerOf(-20)
  player.setRegion(3, 1)
  expect([player.region, player.isLooping]).toEqual([[1, 3], true])
  player.play('0')
  expect(player.position).toBe(1)
  if (sounds[0]) sounds[0].currentTime = 3.1
  player.follow()
  expect(sounds[0]?.currentTime).toBe(1)
  player.setRegion(2, 2.001)
  expect(player.region).toBeNull()
  player.ended('0')
  expect([player.playing, player.position]).toEqual(['0', 0])
  player.toggleLoop()
  player.ended('0')
  expect(player.playing).toBeNull()
})

test('both ends of the repeated part are set to the position', () => {
  const { player } = playerOf(-20)
  player.seek(1)
  player.setRegionEnd('from', 4)
  expect(player.region).toEqual([1, 4])
  player.seek(3)
  player.setRegionEnd('to', 4)
  expect(player.region).toEqual([1, 3])
  player.seek(0.5)
  player.setRegionEnd('to', 4)
  expect(player.region).toEqual([0, 0.5])
})

test('a clip that ended begins again, and one that is removed is silent', () => {
  const { player, sounds } = playerOf(-20)
  player.seek(9)
  player.play('0')
  expect(player.position).toBe(0)
  const remove = player.add('1', { sound: new FakeSound(), seconds: 4, loudness: null })
  remove()
  player.play('1')
  expect([player.playing, sounds[0]?.paused]).toEqual(['0', false])
})
