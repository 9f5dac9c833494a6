// SPDX-License-Identifier: MIT
//
// A short move from one view to another that the eye can follow.

import { between } from './views.js';

const LONG = 260; // milliseconds

export class Flight {
  #isOver = false;

  /**
   * @param {any} from a view, see Orbit.view @param {any} to
   * @param {(view: any, isThere: boolean) => void} move is called in each frame
   */
  constructor(from, to, move) {
    this.from = from;
    this.to = to;
    const start = performance.now();
    const step = (now) => {
      if (this.#isOver) return;
      const part = Math.min(Math.max((now - start) / LONG, 0), 1);
      move(part === 1 ? this.to : between(this.from, this.to, part), part === 1);
      if (part < 1) requestAnimationFrame(step);
    };
    requestAnimationFrame(step);
  }

  stop() {
    this.#isOver = true;
  }

  /** What is looked at has moved. */
  shift(way) {
    this.from.target.add(way);
    this.to.target.add(way);
  }
}
