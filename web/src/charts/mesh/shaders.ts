// The programs that run on the graphics card: one for points, lines and triangles.

/** How much of a far point without a colour is paper. */
export const MOST_FADED = 0.6

export const VERTEX_SHADER = `#version 300 es
in vec3 position;
in vec3 colour;
uniform mat4 matrix;
uniform int colourBy;
uniform vec2 domain;
uniform vec3 ramp[6];
uniform vec3 tint;
uniform bool hasColours;
uniform vec3 paper;
uniform vec3 eye;
uniform vec3 back;
uniform vec2 depths;
uniform float pixels;
uniform float pointSize;
uniform bool isSizeInPixels;
out vec3 paint;
out vec3 place;

vec3 ramped(float value) {
  float at = clamp((value - domain.x) / max(domain.y - domain.x, 1e-30), 0.0, 1.0) * 5.0;
  int lower = min(int(at), 4);
  return mix(ramp[lower], ramp[lower + 1], at - float(lower));
}

// Without colours, only what is paler shows what is farther.
vec3 faded() {
  float depth = dot(eye - position, back);
  return mix(tint, paper, ${String(MOST_FADED)} * clamp((depth - depths.x) / max(depths.y - depths.x, 1e-30), 0.0, 1.0));
}

void main() {
  gl_Position = matrix * vec4(position, 1.0);
  gl_PointSize = isSizeInPixels ? pointSize : clamp(pointSize * pixels / gl_Position.w, 1.0, 256.0);
  place = position;
  paint = colourBy >= 0 ? ramped(position[colourBy]) : hasColours ? colour : faded();
}
`

/** Most lights that shine from a direction. */
export const MOST_BEAMS = 4

export const FRAGMENT_SHADER = `#version 300 es
precision highp float;
in vec3 paint;
in vec3 place;
uniform int style; // 0 lit triangles, 1 points, 2 lines, 3 paper
uniform vec3 paper;
uniform vec3 eye;
uniform vec3 ambient;
uniform int beams;
uniform vec3 beamFrom[${String(MOST_BEAMS)}];
uniform vec3 beamColour[${String(MOST_BEAMS)}];
out vec4 fragment;

void main() {
  if (style == 3) {
    fragment = vec4(paper, 1.0);
    return;
  }
  vec3 light = vec3(1.0);
  if (style == 0) {
    // Of the triangle itself, whichever way round its corners are.
    vec3 normal = normalize(cross(dFdx(place), dFdy(place)));
    if (dot(normal, eye - place) < 0.0) normal = -normal;
    light = ambient;
    for (int at = 0; at < ${String(MOST_BEAMS)}; at++) {
      if (at < beams) light += beamColour[at] * max(dot(normal, beamFrom[at]), 0.0);
    }
  } else if (style == 1) {
    vec2 from = gl_PointCoord - 0.5;
    if (dot(from, from) > 0.25) discard;
  }
  fragment = vec4(min(paint * light, 1.0), 1.0);
}
`
