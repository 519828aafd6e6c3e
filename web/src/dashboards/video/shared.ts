// The key under which the dashboard hands its clock to the clips.
export const CLOCK = Symbol('video clock')
