// The key under which the dashboard hands its player to the clips.
export const PLAYER = Symbol('audio player')
