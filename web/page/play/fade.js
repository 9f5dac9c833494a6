// SPDX-License-Identifier: MIT
//
// The cross-fade from one clip to the next: for a moment both play, and the pose is between them. Pure.

import { Pose } from './pose.js';

const LENGTH = 0.25; // seconds

export class Fade {
  #from = null; // { pose, motion, time, wrap, elapsed }

  /** Begin: a motion that was played, and how far. @param {any[]} bones @param {any} motion */
  start(bones, motion, time, wrap) {
    this.#from = { pose: new Pose(bones), motion, time, wrap, elapsed: 0 };
  }

  stop() {
    this.#from = null;
  }

  get isRunning() {
    return this.#from !== null;
  }

  /** Let both run on. */
  tick(seconds) {
    if (!this.#from) return;
    this.#from.elapsed += seconds;
    this.#from.time += seconds;
    if (this.#from.elapsed >= LENGTH) this.stop();
  }

  /** Bring a pose nearer to where the motion before is. `settle` is applied to that one, too.
   * @param {Pose} pose @param {(pose: Pose, motion: any, time: number) => void} settle */
  apply(pose, settle) {
    if (!this.#from) return;
    const { pose: before, motion, time, wrap, elapsed } = this.#from;
    before.sample(motion, time, wrap);
    settle(before, motion, time);
    const part = elapsed / LENGTH;
    pose.comeFrom(before.locals, part * part * (3 - 2 * part)); // slow at both ends
  }
}
