// Meshes that are kept.
import { expect, test } from 'vitest'
import type { MeshData } from '../../api/mesh'
import { MeshCache } from './cache'

const mesh = (bytes: number): MeshData =>
  ({ positions: new Float32Array(), colours: new Uint8Array(bytes), faces: new Uint32Array() }) as unknown as MeshData

test('what was used last is kept, as far as there is room', () => {
  const cache = new MeshCache(100)
  const [a, b, c] = [mesh(40), mesh(40), mesh(40)]
  cache.put('a', a)
  cache.put('b', b)
  expect(cache.get('a')).toBe(a)
  cache.put('c', c)
  expect([cache.get('a'), cache.get('b'), cache.get('c')]).toEqual([a, undefined, c])
  // The same again takes no more room; one that is too large is kept alone.
  cache.put('c', mesh(50))
  expect(cache.get('a')).toBe(a)
  cache.put('d', mesh(1000))
  expect([cache.get('a'), cache.get('c')]).toEqual([undefined, undefined])
  expect(cache.get('d')).toBeDefined()
})
