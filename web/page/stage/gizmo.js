// SPDX-License-Identifier: MIT
//
// The axes in the corner of the stage: which way the view looks. A click on an end looks from there, a
// drag rotates the view. The keys of the named views do the same without a pointer.

import { Vector3 } from 'three';
import { sizeCanvas } from '../window/dom.js';
import { anglesOf } from './views.js';

const LONG = 27; // pixels from the middle to an end
const BALL = 8.5;
const SLOW = 0.012; // radians per pixel of a drag

const ENDS = [
  { name: 'X', axis: 'x', direction: [1, 0, 0] },
  { name: 'Y', axis: 'y', direction: [0, 1, 0] },
  { name: 'Z', axis: 'z', direction: [0, 0, 1] },
  { name: '', axis: 'x', direction: [-1, 0, 0] },
  { name: '', axis: 'y', direction: [0, -1, 0] },
  { name: '', axis: 'z', direction: [0, 0, -1] },
];

export class Gizmo {
  #canvas;
  #stage;
  #under = null; // the end below the pointer

  /** @param {HTMLCanvasElement} canvas @param {any} stage */
  constructor(canvas, stage) {
    this.#canvas = canvas;
    this.#stage = stage;
    stage.watch(() => this.draw());
    this.#listen();
  }

  /** The ends as they are seen, the farthest first: { x, y } in pixels from the middle, and `depth`. */
  #ends() {
    const turn = this.#stage.camera.quaternion.clone().invert();
    const seen = ENDS.map((end) => {
      const { x, y, z } = new Vector3(...end.direction).applyQuaternion(turn);
      return { end, x: x * LONG, y: -y * LONG, depth: z };
    });
    return seen.sort((one, other) => one.depth - other.depth);
  }

  draw() {
    const canvas = this.#canvas;
    if (!sizeCanvas(canvas)) return;
    const context = canvas.getContext('2d');
    const scale = canvas.width / canvas.clientWidth;
    const style = getComputedStyle(canvas);
    context.setTransform(scale, 0, 0, scale, canvas.width / 2, canvas.height / 2);
    context.clearRect(-canvas.clientWidth, -canvas.clientHeight, 999, 999);
    context.textAlign = 'center';
    context.textBaseline = 'middle';
    context.font = '600 10px system-ui, sans-serif';
    for (const { end, x, y, depth } of this.#ends()) {
      const colour = style.getPropertyValue(`--axis-${end.axis}`);
      const isUnder = this.#under === end;
      context.globalAlpha = 0.55 + 0.45 * (depth * 0.5 + 0.5);
      context.strokeStyle = context.fillStyle = colour;
      context.lineWidth = 2;
      context.beginPath();
      if (end.name) {
        context.moveTo(0, 0);
        context.lineTo(x, y);
        context.stroke();
        context.beginPath();
      }
      context.arc(x, y, (end.name ? BALL : BALL * 0.62) + (isUnder ? 1.5 : 0), 0, 2 * Math.PI);
      context.globalAlpha *= end.name || isUnder ? 1 : 0.5;
      context.fill();
      context.globalAlpha = 1;
      context.fillStyle = style.getPropertyValue('--accent-ink');
      if (end.name) context.fillText(end.name, x, y + 0.5);
    }
  }

  #endAt({ clientX, clientY }) {
    const { left, top, width, height } = this.#canvas.getBoundingClientRect();
    const [x, y] = [clientX - left - width / 2, clientY - top - height / 2];
    const hit = this.#ends().findLast((seen) => Math.hypot(seen.x - x, seen.y - y) <= BALL + 2);
    return hit?.end ?? null;
  }

  /** Look from an end of an axis. Seen from above or below, the direction stays. */
  #lookFrom({ direction, axis }) {
    const { round, up } = anglesOf(direction);
    this.#stage.orbit.turn({ round: axis === 'y' ? null : round, up });
  }

  #listen() {
    const canvas = this.#canvas;
    let last = null;
    let isDrag = false;
    canvas.addEventListener('pointerdown', (event) => {
      if (event.button !== 0 || this.#stage.orbit.isThrough) return;
      canvas.setPointerCapture(event.pointerId);
      last = event;
      isDrag = false;
    });
    canvas.addEventListener('pointermove', (event) => {
      if (last) {
        const [dx, dy] = [event.clientX - last.clientX, event.clientY - last.clientY];
        if (!isDrag && Math.hypot(dx, dy) < 4) return;
        isDrag = true;
        last = event;
        this.#stage.orbit.rotate(-dx * SLOW, dy * SLOW);
        return;
      }
      this.#setUnder(this.#endAt(event));
    });
    canvas.addEventListener('pointerup', (event) => {
      const end = last && !isDrag ? this.#endAt(event) : null;
      last = null;
      if (end) this.#lookFrom(end);
    });
    canvas.addEventListener('pointercancel', () => (last = null));
    canvas.addEventListener('pointerleave', () => this.#setUnder(null));
  }

  #setUnder(end) {
    if (this.#under === end) return;
    this.#under = end;
    this.#canvas.style.cursor = end ? 'pointer' : '';
    this.draw();
  }
}
