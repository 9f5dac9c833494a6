// SPDX-License-Identifier: MIT
//
// Where the joints of a scene are at a time of a clip. Pure.

import { Pose } from '../play/pose.js';

export class Joints {
  /** @param {any[]} bones of a scene @param {import('../play/motion.js').Motion|null} motion */
  constructor(bones, motion) {
    this.motion = motion;
    this.names = bones.map(({ name }) => name);
    this.pose = new Pose(bones);
  }

  /** @returns {Pose} */
  poseAt(seconds, wrap, isInPlace) {
    const { pose, motion } = this;
    pose.sample(motion, seconds, wrap);
    if (isInPlace && motion) pose.stayInPlace();
    pose.update();
    return pose;
  }

  /** @returns {{ places: Float32Array, visible: Uint8Array }} [joint][3], and whether each is visible */
  at(seconds, wrap, isInPlace) {
    const { matrices, visible } = this.poseAt(seconds, wrap, isInPlace);
    const places = new Float32Array(this.names.length * 3);
    for (let joint = 0; joint < this.names.length; joint++)
      places.set(matrices.subarray(joint * 16 + 12, joint * 16 + 15), joint * 3);
    return { places, visible };
  }
}
