// SPDX-License-Identifier: MIT
//
// What the graphics card does for the shadow on the ground: see shadow.js.

export const SIZE = 256; // texels along each side
export const BLURRED = 128; // and of the result

// What is flattened: any mesh (skinned, instanced or morphed), or the wide lines of three.js.
const FLAT = `
uniform vec2 slope;
uniform vec3 centre; // of the area, at the height of the ground
uniform float reach; // half the area
varying float height;
vec4 flat_on_ground(vec3 world) {
  height = world.y - centre.y;
  vec2 at = world.xz - centre.xz + max(height, 0.0) * slope;
  return vec4(at.x / reach, -at.y / reach, 0.0, 1.0);
}`;
export const MESH_VERTEX = `
#include <common>
#include <morphtarget_pars_vertex>
#include <skinning_pars_vertex>
${FLAT}
void main() {
  #include <begin_vertex>
  #include <morphinstance_vertex>
  #include <morphtarget_vertex>
  #include <skinbase_vertex>
  #include <skinning_vertex>
  vec4 local = vec4(transformed, 1.0);
  #ifdef USE_INSTANCING
    local = instanceMatrix * local;
  #endif
  gl_Position = flat_on_ground((modelMatrix * local).xyz);
}`;
export const LINE_VERTEX = `
attribute vec3 instanceStart;
attribute vec3 instanceEnd;
${FLAT}
void main() {
  vec4 from = flat_on_ground((modelMatrix * vec4(instanceStart, 1.0)).xyz);
  float low = height;
  vec4 to = flat_on_ground((modelMatrix * vec4(instanceEnd, 1.0)).xyz);
  vec2 along = to.xy - from.xy;
  float far = length(along);
  along = far > 0.0 ? along / far : vec2(1.0, 0.0);
  bool isStart = position.y < 0.5;
  height = isStart ? low : height;
  gl_Position = isStart ? from : to;
  gl_Position.xy += position.x * vec2(along.y, -along.x) * ${(4 / SIZE).toFixed(5)}; // two texels to each side
}`;
export const FLAT_FRAGMENT = `
uniform float tall;
varying float height;
void main() {
  float up = max(height, 0.0) / tall;
  gl_FragColor = vec4(1.0 - smoothstep(0.0, 0.16, up), 1.0 - smoothstep(0.05, 0.7, up), 1.0 / (1.0 + up * up), 1.0);
}`;

export const BLUR_VERTEX = `
varying vec2 at;
void main() {
  at = position.xy * 0.5 + 0.5;
  gl_Position = vec4(position.xy, 0.0, 1.0);
}`;
// Smaller levels of the texture are blurred already: nine samples of the right one are smooth enough.
export const BLUR_FRAGMENT = `
uniform sampler2D source;
varying vec2 at;
void main() {
  vec3 sum = vec3(0.0);
  for (int i = -1; i <= 1; i++) for (int j = -1; j <= 1; j++) {
    vec2 aside = vec2(float(i), float(j));
    float weight = (i == 0 ? 0.5 : 0.25) * (j == 0 ? 0.5 : 0.25);
    sum.r += weight * textureLod(source, at + aside * 0.008, 0.8).r;
    sum.g += weight * textureLod(source, at + aside * 0.018, 2.0).g;
    sum.b += weight * textureLod(source, at + aside * 0.036, 3.2).b;
  }
  gl_FragColor = vec4(sum, 1.0);
}`;

export const GROUND_VERTEX = `
varying vec2 at;
void main() {
  at = uv;
  gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0);
}`;
export const GROUND_FRAGMENT = `
uniform sampler2D source;
uniform vec3 colour;
uniform float strength;
varying vec2 at;
void main() {
  vec3 seen = texture2D(source, at).rgb;
  float light = (1.0 - 0.45 * seen.r) * (1.0 - 0.4 * seen.g) * (1.0 - 0.36 * seen.b);
  gl_FragColor = vec4(colour, (1.0 - light) * strength);
  #include <colorspace_fragment>
}`;
