// SPDX-License-Identifier: MIT
//
// The light: sky and ground, a warm key light from above the left shoulder of the first viewer, a cool
// one from behind, which draws the outline, and a little from wherever the viewer is. Together they
// do not make a surface much brighter than its colours are. The key light also says where the shadow falls.

import { DirectionalLight, Group, HemisphereLight } from 'three';
import { axesOf } from './views.js';

const KEY = { left: 0.85, up: 0.75 };
const RIM = { left: -2.5, up: 0.5 };

function direction(home, { left, up }, out) {
  const { away } = axesOf({ round: home.round - left, up });
  return out.set(away.x, away.y, away.z);
}

export class Lights {
  group = new Group();
  #key = new DirectionalLight(0xfff6ea, 1.8);
  #rim = new DirectionalLight(0xdbe8ff, 0.7);
  #sky = new HemisphereLight(0xf6f9ff, 0xbab2a8, 1.5);
  #fill = new DirectionalLight(0xffffff, 0.35);

  /** @param {import('three').Object3D} eyes an object that is always where the viewer is */
  constructor(eyes) {
    this.group.add(this.#sky, this.#key, this.#rim);
    eyes.add(this.#fill, this.#fill.target);
    this.#fill.position.set(0.2, 0.3, 1);
    this.aim({ round: 0.6, up: 0.25 });
  }

  /** @param {import('./views.js').Angles} home the angles of the first view */
  aim(home) {
    direction(home, KEY, this.#key.position);
    direction(home, RIM, this.#rim.position);
  }

  /** @returns {[number, number]} how far a shadow on the ground moves for each metre of height: x, z. A little less than the
   * light would have it: long shadows are in the way. */
  get slope() {
    const { x, y, z } = this.#key.position;
    return [(-0.65 * x) / y, (-0.65 * z) / y];
  }
}
