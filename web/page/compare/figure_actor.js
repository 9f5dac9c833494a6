// SPDX-License-Identifier: MIT
//
// A figure of the session that is compared with the one shown: see Actor in beside.js.

import { Figure } from '../stage/figure.js';
import { Joints } from './joints.js';

export class FigureActor {
  #figure;
  #joints;

  /** @param {any} scene @param {any} motion @param {any} [variant] of the scene */
  constructor(scene, motion, variant) {
    this.#figure = new Figure(scene);
    this.#figure.showVariant(variant);
    this.#joints = new Joints(scene.bones, motion);
  }

  get names() {
    return this.#joints.names;
  }

  get group() {
    return this.#figure.group;
  }

  get length() {
    const { motion } = this.#joints;
    return { frameCount: motion?.frameCount ?? 0, fps: motion?.fps ?? 30 };
  }

  at(seconds, wrap, isInPlace) {
    return this.#joints.at(seconds, wrap, isInPlace);
  }

  pose(seconds, wrap, { isInPlace, hasBones }) {
    this.#figure.skeleton.group.visible = hasBones || !this.#figure.hasMeshes;
    this.#figure.follow(this.#joints.poseAt(seconds, wrap, isInPlace));
  }

  measure(isInPlace) {
    return this.#figure.measure(this.#joints.motion, isInPlace);
  }

  setTheme(isDark) {
    this.#figure.setTheme(isDark);
  }

  dispose() {
    this.#figure.dispose();
  }
}
