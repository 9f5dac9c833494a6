// SPDX-License-Identifier: MIT
//
// The ground: a grid whose spacing is a power of ten that suits the model, with every tenth line
// stronger. A shader draws it, so that lines stay thin and fade with distance.

import { Color, DoubleSide, Mesh, PlaneGeometry, ShaderMaterial, Vector3 } from 'three';

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
uniform vec3 colour;
uniform vec3 strong;
float line(vec2 at, float width) {
  vec2 grain = fwidth(at);
  vec2 near = abs(fract(at - 0.5) - 0.5) / max(grain, vec2(1e-6));
  float seen = 1.0 - min(min(near.x, near.y) / width, 1.0);
  return seen * (1.0 - smoothstep(0.25, 0.6, max(grain.x, grain.y)));
}
void main() {
  vec2 at = place.xz / spacing;
  float thin = line(at, 1.0) * 0.55;
  float thick = line(at / 10.0, 1.3);
  float fade = 1.0 - smoothstep(0.25, 1.0, distance(place.xz, centre.xz) / reach);
  float alpha = max(thin, thick) * fade;
  if (alpha < 0.004) discard;
  gl_FragColor = vec4(mix(colour, strong, step(thin, thick)), alpha);
  #include <colorspace_fragment>
}`;

/** The power of ten that makes a model of this size 4 to 40 squares long. */
function gridSpacing(size) {
  if (!(size > 0) || !Number.isFinite(size)) return 0.1;
  return 10 ** Math.floor(Math.log10(size / 4));
}

export class Grid {
  #material = new ShaderMaterial({
    vertexShader: VERTEX,
    fragmentShader: FRAGMENT,
    transparent: true,
    depthWrite: false,
    side: DoubleSide,
    uniforms: {
      spacing: { value: 1 },
      reach: { value: 10 },
      centre: { value: new Vector3() },
      colour: { value: new Color() },
      strong: { value: new Color() },
    },
  });

  spacing = 1;

  constructor() {
    this.object = new Mesh(new PlaneGeometry(2, 2).rotateX(-Math.PI / 2), this.#material);
    this.object.frustumCulled = false;
    this.object.renderOrder = -1;
    this.setTheme(true);
  }

  setTheme(isDark) {
    this.#material.uniforms.colour.value.set(isDark ? 0x4a515b : 0xa9b1bc);
    this.#material.uniforms.strong.value.set(isDark ? 0x69727f : 0x818b98);
  }

  /** Put the grid below a box: at height 0 if the box roughly stands there, otherwise at its bottom. */
  fit(box) {
    const size = box.getSize(new Vector3());
    const centre = box.getCenter(new Vector3());
    const largest = Math.max(size.x, size.y, size.z) || 1;
    this.spacing = gridSpacing(largest);
    const ground = Math.abs(box.min.y) <= 0.15 * largest ? 0 : box.min.y;
    const reach = largest * 4;
    this.object.position.set(centre.x, ground, centre.z);
    this.object.scale.set(reach, 1, reach);
    this.#material.uniforms.spacing.value = this.spacing;
    this.#material.uniforms.reach.value = reach;
    this.#material.uniforms.centre.value.copy(centre);
  }
}
