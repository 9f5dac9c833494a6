// SPDX-License-Identifier: MIT
//
// The pose of all bones: local transforms, and from them the matrices from the model's origin. Pure.

import { groundOf, inverse, turned } from './ground.js';
import { slerp, turnAboutY } from './quaternion.js';

export class Pose {
  #bones;
  #roots;

  /** @param {{ parent: number, rest: Float32Array }[]} bones */
  constructor(bones) {
    this.#bones = bones;
    this.#roots = bones.flatMap(({ parent }, bone) => (parent < 0 ? [bone] : []));
    this.locals = new Float32Array(bones.length * 10);
    this.matrices = new Float32Array(bones.length * 16);
    this.visible = new Uint8Array(bones.length);
    /** @type {{ mesh: number, from: number, to: number, part: number }[]} */
    this.morphs = [];
    this.rest();
    this.update();
  }

  rest() {
    this.#bones.forEach(({ rest }, bone) => this.locals.set(rest, bone * 10));
    this.visible.fill(1);
    this.morphs = [];
  }

  /** Take the pose of a motion at a time; null: the rest pose. `update` makes its matrices.
   * @param {import('./motion.js').Motion|null} motion */
  sample(motion, seconds = 0, wrap = 'clamp') {
    if (!motion) {
      this.rest();
      return;
    }
    motion.sample(seconds, wrap, this.locals, this.visible);
    this.morphs = motion.morphs(seconds, wrap);
  }

  /** Come from another pose: 0 is that one, 1 is this one. What has no between stays.
   * @param {Float32Array} from locals of the other */
  comeFrom(from, part) {
    const { locals } = this;
    for (let at = 0; at < locals.length; at += 10) {
      for (const k of [0, 1, 2, 7, 8, 9]) locals[at + k] = from[at + k] + (locals[at + k] - from[at + k]) * part;
      slerp(from, at + 3, locals, at + 3, part, locals, at + 3);
    }
  }

  /** Remove the displacement along the ground and the rotation about Y of the first root, as
   * ossa_stay_in_place does. @returns {import('./ground.js').Ground} what was removed */
  stayInPlace() {
    const place = groundOf(this.#bones.length > 0 ? this.locals : [0, 0, 0, 0, 0, 0, 1]);
    this.goTo(inverse(place));
    return place;
  }

  /** Put the roots somewhere else. @param {import('./ground.js').Ground} ground */
  goTo(ground) {
    const { locals } = this;
    for (const bone of this.#roots) {
      const at = bone * 10;
      const [x, z] = turned(ground, locals[at], locals[at + 2]);
      locals[at] = ground[0] + x;
      locals[at + 2] = ground[1] + z;
      turnAboutY(ground[2], ground[3], locals, at + 3);
    }
  }

  /** Make the matrices. Parents come before their children. */
  update() {
    const { locals, matrices } = this;
    this.#bones.forEach(({ parent }, bone) => {
      write(locals, bone * 10, matrices, bone * 16);
      if (parent >= 0) multiply(matrices, parent * 16, bone * 16);
    });
  }
}

function write(locals, from, out, at) {
  const [x, y, z, w] = locals.subarray(from + 3, from + 7);
  const [sx, sy, sz] = locals.subarray(from + 7, from + 10);
  out[at] = (1 - 2 * (y * y + z * z)) * sx;
  out[at + 1] = 2 * (x * y + z * w) * sx;
  out[at + 2] = 2 * (x * z - y * w) * sx;
  out[at + 3] = 0;
  out[at + 4] = 2 * (x * y - z * w) * sy;
  out[at + 5] = (1 - 2 * (x * x + z * z)) * sy;
  out[at + 6] = 2 * (y * z + x * w) * sy;
  out[at + 7] = 0;
  out[at + 8] = 2 * (x * z + y * w) * sz;
  out[at + 9] = 2 * (y * z - x * w) * sz;
  out[at + 10] = (1 - 2 * (x * x + y * y)) * sz;
  out[at + 11] = 0;
  out[at + 12] = locals[from];
  out[at + 13] = locals[from + 1];
  out[at + 14] = locals[from + 2];
  out[at + 15] = 1;
}

// The matrix at `at` becomes (that at `above`) * itself. The last row of both is 0 0 0 1.
function multiply(m, above, at) {
  for (let column = at; column < at + 16; column += 4) {
    const [x, y, z] = [m[column], m[column + 1], m[column + 2]];
    const w = column === at + 12 ? 1 : 0;
    for (let row = 0; row < 3; row++)
      m[column + row] =
        m[above + row] * x + m[above + 4 + row] * y + m[above + 8 + row] * z + m[above + 12 + row] * w;
  }
}
