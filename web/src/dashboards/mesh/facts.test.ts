// Cameras in links.
import { expect, test } from 'vitest'
import { itemKey, orbit } from './facts'

test('a camera is written in degrees, and its pan only if there is one', () => {
  const camera = { yaw: -Math.PI / 3, pitch: Math.PI / 7, zoom: 1, pan: [0, 0, 0] } as const
  expect(orbit.write(camera)).toBe('-60,25.7,1')
  expect(orbit.write({ ...camera, yaw: -1e-9, zoom: 1.23456, pan: [0.5, 0, -1e-6] })).toBe('0,25.7,1.23,0.5,0,0')
})

test('a camera that was written is read again', () => {
  const text = '-60,25.7,1.5,0.25,0,-0.125'
  const read = orbit.read(text)
  expect(read?.yaw).toBeCloseTo(-Math.PI / 3)
  expect(read === undefined ? '' : orbit.write(read)).toBe(text)
})

test.each(['', '1,2', '1,2,3,4', '1,91,1', '1,2,0', '1,2,a', '1,2,1e9', '1,2,1,x,0,0', '1,2,1,0,0,0,0'])(
  'what is no camera is ignored: %j',
  (text) => {
    expect(orbit.read(text)).toBeUndefined()
  },
)

test('meshes of runs have different keys, whatever their names', () => {
  expect(itemKey('a,b', 'c')).not.toBe(itemKey('a', 'b,c'))
})
