// SPDX-License-Identifier: MIT
//
// Pointing at the figure: a click selects the bone that is below the pointer, and one that a click would
// select is shown before. A drag is not a click.

import { oncePerFrame } from '../window/dom.js';
import { Picker } from './pick.js';

const NEAR_JOINT = 12; // pixels between the pointer and a joint that is drawn
const NEAR_HIDDEN = 18; // and one that is not, or is all there is
const MOST_MOVING = 8000; // vertices that are worth computing for each frame of a clip
const MOST_STILL = 200_000; // and at all

export class Pointing {
  /** The bone that a click would select; -1: none. */
  hovered = -1;
  #session;
  #stage;
  #show;
  #picker = new Picker();
  #at = null; // the pointer over the stage

  /** @param {any} session @param {any} stage @param {any} show the figures, `vertices`, `isPlaying` */
  constructor(session, stage, show) {
    this.#session = session;
    this.#stage = stage;
    this.#show = show;
    this.#listen(stage.canvas);
  }

  /** There is another pose, or another figure. */
  posed() {
    this.#picker.forget();
    if (this.#at) this.#hoverSoon();
  }

  #listen(canvas) {
    let from = null;
    const place = ({ clientX, clientY }) => {
      const { left, top } = canvas.getBoundingClientRect();
      return { x: clientX - left, y: clientY - top };
    };
    canvas.addEventListener('pointerdown', (event) => {
      from = event.button === 0 ? [event.clientX, event.clientY] : null;
      canvas.focus({ preventScroll: true });
    });
    canvas.addEventListener('pointermove', (event) => {
      // A finger that touches is not above anything.
      this.#at = event.buttons === 0 && event.pointerType !== 'touch' ? place(event) : null;
      this.#hoverSoon();
    });
    canvas.addEventListener('pointerleave', () => {
      this.#at = null;
      this.#hoverSoon();
    });
    canvas.addEventListener('pointerup', (event) => {
      if (!from || Math.hypot(event.clientX - from[0], event.clientY - from[1]) > 4) return;
      if (this.#show.figure) this.#session.setBone(this.bone(place(event)));
    });
  }

  #hoverSoon = oncePerFrame(() => {
    const isCheap = this.#show.vertices <= (this.#show.isPlaying ? MOST_MOVING : MOST_STILL);
    const bone = this.#at && this.#show.figure && isCheap ? this.bone(this.#at) : -1;
    if (bone === this.hovered) return;
    this.hovered = bone;
    this.#stage.canvas.style.cursor = bone >= 0 ? 'pointer' : '';
    this.#show.figure?.skeleton.hover(bone);
    this.#stage.ask();
  });

  /** The bone at a point of the view, in CSS pixels; -1: none. */
  bone({ x, y }) {
    const { figure } = this.#show;
    const areDrawn = figure.skeleton.group.visible;
    const near = this.#nearest(x, y, areDrawn && figure.hasMeshes ? NEAR_JOINT : NEAR_HIDDEN);
    if (near >= 0 && (areDrawn || !figure.hasMeshes)) return near;
    const { camera } = this.#stage;
    const moves = this.#picker.pick(figure.group, camera, this.#stage.unit(x, y));
    return moves >= 0 ? moves : near;
  }

  #nearest(x, y, most) {
    let best = -1;
    let least = most;
    this.#show.figure.skeleton.positions().forEach((position, bone) => {
      const at = this.#stage.project(...position);
      const distance = at ? Math.hypot(at.x - x, at.y - y) : Infinity;
      if (distance < least) [best, least] = [bone, distance];
    });
    return best;
  }
}
