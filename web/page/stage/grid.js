// SPDX-License-Identifier: MIT
//
// The ground: a quiet grid whose spacing is a power of ten that suits the model, with every tenth line
// a little stronger and the axes in their colours. A shader draws it, so that lines stay thin and fade
// with distance.

import { Color, DoubleSide, Mesh, PlaneGeometry, ShaderMaterial, Vector2, Vector3 } from 'three';

const VERTEX = `
varying vec3 place;
void main() {
  vec4 world = modelMatrix * vec4(position, 1.0);
  place = world.xyz;
  gl_Position = projectionMatrix * viewMatrix * world;
}`;

const FRAGMENT = `
varying vec3 place;
uniform float spacing;
uniform float reach;
uniform vec3 centre;
uniform vec2 moved;
uniform vec3 colour;
uniform vec3 strong;
uniform vec3 axisX;
uniform vec3 axisZ;
uniform float quiet;
float line(vec2 at, float width) {
  vec2 grain = fwidth(at);
  vec2 near = abs(fract(at - 0.5) - 0.5) / max(grain, vec2(1e-6));
  float seen = 1.0 - min(min(near.x, near.y) / width, 1.0);
  return seen * (1.0 - smoothstep(0.25, 0.6, max(grain.x, grain.y)));
}
float axis(float at, float grain) {
  return 1.0 - min(abs(at) / max(grain * 1.5, 1e-6), 1.0);
}
void main() {
  vec2 at = (place.xz - moved) / spacing;
  vec2 grain = fwidth(at);
  float thin = line(at, 1.0) * quiet;
  float thick = line(at / 10.0, 1.2) * min(quiet * 1.6, 1.0);
  float x = axis(at.y, grain.y) * 0.75; // the line where z is 0 is the x axis
  float z = axis(at.x, grain.x) * 0.75;
  float fade = 1.0 - smoothstep(0.15, 1.0, distance(place.xz, centre.xz) / reach);
  vec3 paint = mix(colour, strong, step(thin, thick));
  paint = mix(paint, axisZ, step(max(thin, thick), z));
  paint = mix(paint, axisX, step(max(max(thin, thick), z), x));
  float alpha = max(max(thin, thick), max(x, z)) * fade * fade;
  if (alpha < 0.004) discard;
  gl_FragColor = vec4(paint, alpha);
  #include <colorspace_fragment>
}`;

const THEMES = {
  dark: { colour: 0x59616c, strong: 0x737d8a, axisX: 0xd9625c, axisZ: 0x5b93e0, quiet: 0.34 },
  light: { colour: 0xa4adb8, strong: 0x87919e, axisX: 0xc9544e, axisZ: 0x4a7fd0, quiet: 0.38 },
};

/** The power of ten that makes a model of this size 4 to 40 squares long. */
function gridSpacing(size) {
  if (!(size > 0) || !Number.isFinite(size)) return 0.1;
  return 10 ** Math.floor(Math.log10(size / 4));
}

export class Grid {
  #uniforms = {
    spacing: { value: 1 },
    reach: { value: 10 },
    centre: { value: new Vector3() },
    moved: { value: new Vector2() },
    colour: { value: new Color() },
    strong: { value: new Color() },
    axisX: { value: new Color() },
    axisZ: { value: new Color() },
    quiet: { value: 0.5 },
  };
  spacing = 1;

  constructor() {
    const material = new ShaderMaterial({
      vertexShader: VERTEX,
      fragmentShader: FRAGMENT,
      transparent: true,
      depthWrite: false,
      side: DoubleSide,
      uniforms: this.#uniforms,
    });
    this.object = new Mesh(new PlaneGeometry(2, 2).rotateX(-Math.PI / 2), material);
    this.object.frustumCulled = false;
    this.object.renderOrder = -1;
    this.setTheme(true);
  }

  setTheme(isDark) {
    const { quiet, ...colours } = THEMES[isDark ? 'dark' : 'light'];
    for (const [name, value] of Object.entries(colours)) this.#uniforms[name].value.set(value);
    this.#uniforms.quiet.value = quiet;
  }

  /** The height of the ground. */
  get height() {
    return this.object.position.y;
  }

  /** Put the grid below a box: at height 0 if the box roughly stands there, otherwise at its bottom. */
  fit(box) {
    const size = box.getSize(new Vector3());
    const centre = box.getCenter(new Vector3());
    const largest = Math.max(size.x, size.y, size.z) || 1;
    this.spacing = gridSpacing(largest);
    const ground = Math.abs(box.min.y) <= 0.15 * largest ? 0 : box.min.y;
    const reach = largest * 4;
    this.object.position.y = ground;
    this.object.scale.set(reach, 1, reach);
    this.#uniforms.spacing.value = this.spacing;
    this.#uniforms.reach.value = reach;
    this.centreOn(centre.x, centre.z);
  }

  /** Draw the part of the endless grid around this point. The lines stay where they are. */
  centreOn(x, z) {
    this.object.position.x = x;
    this.object.position.z = z;
    this.#uniforms.centre.value.set(x, this.object.position.y, z);
  }

  /** Move the lines, so that the ground runs below a figure that walks in place. 0, 0: as they were. */
  move(x, z) {
    this.#uniforms.moved.value.set(x, z);
  }
}
