// The light on a mesh: what was logged, or one that follows the camera.
import { add, length, scale, type Projection, type Vec3 } from './camera'
import { MOST_BEAMS } from './shaders'
import type { Beam, Lights, Scene } from './types'

/** From above and a little from the left of the camera, so that every view has light and shade. */
export function lightsOf({ lights, projection }: Pick<Scene, 'lights' | 'projection'>): Lights {
  if (lights !== null)
    return { ambient: lights.ambient, beams: lights.beams.slice(0, MOST_BEAMS).map((beam) => unit(beam)) }
  return { ambient: [0.5, 0.5, 0.5], beams: [{ from: follower(projection), colour: [0.55, 0.55, 0.55] }] }
}

function follower({ right, up, back }: Projection): Vec3 {
  return normal(add(add(scale(right, -0.4), scale(up, 0.7)), scale(back, 0.6)))
}

function unit({ from, colour }: Beam): Beam {
  return { from: normal(from), colour }
}

function normal(vector: Vec3): Vec3 {
  const size = length(vector)
  return size > 0 ? scale(vector, 1 / size) : [0, 0, 1]
}
