// SPDX-License-Identifier: MIT
//
// What is shown beside the figure, or over it as a ghost. It follows the time of the player.
//
// An actor is a figure (figure_actor.js) or a GLB (glb_actor.js):
//   names      of the joints
//   length     { frameCount, fps } of its clip
//   group      its objects
//   at(seconds, wrap, isInPlace)   { places, visible } of the joints, see joints.js; what is drawn stays
//   pose(seconds, wrap, { isInPlace, hasBones })
//   measure(isInPlace)   the box that it fills during its clip
//   setTheme(isDark), dispose()

import { Vector3 } from 'three';
import { otherTime } from './distances.js';
import { Ghost } from './ghost.js';
import { inverse, multiply, ORIGIN } from '../play/ground.js';

const GAP = 0.12; // between the two, as a part of the larger

/** @typedef {import('./figure_actor.js').FigureActor | import('./glb_actor.js').GlbActor} Actor */

export class Beside {
  #mode = 'side';
  #ghost = null;
  #isDark = true;
  #place = new Vector3(); // where it stands
  /** 'same': the same time; 'part': the same part of the clip. */
  time = 'same';

  /** @param {Actor} actor @param {{ mode: string, time: string }} how */
  constructor(actor, { mode, time }) {
    this.actor = actor;
    this.time = time;
    this.mode = mode;
  }

  get group() {
    return this.actor.group;
  }

  get mode() {
    return this.#mode;
  }

  /** @param {string} mode 'side' or 'ghost' */
  set mode(mode) {
    this.#mode = mode;
    this.#draw();
  }

  setTheme(isDark) {
    this.#isDark = isDark;
    this.#draw();
  }

  #draw() {
    this.#ghost?.dispose();
    this.actor.setTheme(this.#isDark);
    this.#ghost = this.#mode === 'ghost' ? new Ghost(this.group, this.#isDark) : null;
  }

  /**
   * Stand where it belongs: at the same place, or to the right of the figure as it is seen first.
   * @param {import('three').Box3} box of the figure @param {number[]} viewpoint of its scene
   * @returns {import('three').Box3} around both
   */
  stand(box, viewpoint, isInPlace) {
    const own = this.actor.measure(isInPlace);
    const place = this.#place.set(0, 0, 0);
    if (this.#mode === 'side') {
      const [x, , z] = viewpoint;
      const [axis, sign] = Math.abs(z) >= Math.abs(x) ? ['x', z < 0 ? -1 : 1] : ['z', x < 0 ? 1 : -1];
      const wide = (one) => one.getSize(new Vector3())[axis];
      const gap = GAP * Math.max(wide(box), wide(own), box.getSize(new Vector3()).y);
      place[axis] = sign > 0 ? box.max[axis] - own.min[axis] + gap : box.min[axis] - own.max[axis] - gap;
    }
    return own.translate(place).union(box);
  }

  /** The time of its clip at a time of the figure's. */
  timeAt(seconds, length, wrap) {
    return otherTime(seconds, length, this.actor.length, this.time, wrap);
  }

  /**
   * Take the pose of a moment.
   * @param {{ time: number, wrap: string, length: import('./distances.js').Length, view: any,
   *   start: import('../play/ground.js').Ground, now: import('../play/ground.js').Ground }} moment of the figure:
   *   `length` of its clip, `view` of the session, where its root is in the clip, and where it is shown
   */
  follow({ time, wrap, length, view, start, now }) {
    const isInPlace = view.inPlace || view.treadmill;
    this.actor.pose(this.timeAt(time, length, wrap), wrap, { isInPlace, hasBones: view.bones });
    // Root motion that goes on takes both along.
    const isCarried = (view.travel || view.treadmill) && [...start, ...now].every(Number.isFinite);
    const [x, z, sine, cosine] = isCarried ? multiply(now, isInPlace ? ORIGIN : inverse(start)) : ORIGIN;
    this.group.position.set(x, 0, z).add(this.#place);
    this.group.quaternion.set(0, sine, 0, cosine);
  }

  dispose() {
    this.#ghost?.dispose();
    this.group.removeFromParent();
    this.actor.dispose();
  }
}
