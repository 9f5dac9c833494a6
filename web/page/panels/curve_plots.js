// SPDX-License-Identifier: MIT
//
// The plots of the curves: their values, the part of them that is shown, where they are in the picture,
// and the point under the pointer. Pure.

import { FORMS, inForm } from './curve_rotation.js';
import { panned, range, zoomed } from './curve_scale.js';

export const LEFT = 46; // pixels for the numbers of the values
export const RIGHT = 12;
const BELOW = 14; // for the numbers of the frames
const FLAT = 42; // height of a plot of constants, without its head
const LEAST_FRAMES = 4; // that a zoom leaves

/**
 * @typedef {object} Plot
 * @property {'rotation'|'translation'|'scale'} channel
 * @property {string} title
 * @property {string} axes
 * @property {Float32Array} values by frame, then by axis
 * @property {Float32Array|null} bands as wide as a step of the file, for each value
 * @property {number} frames
 * @property {boolean} isFlat
 * @property {number} least the smallest height that is shown, in units of the values
 * @property {{low: number, high: number}} all the range of all shown curves
 * @property {{low: number, high: number}} shown
 * @property {{x: number, y: number, width: number, height: number}} box
 */

/** @returns {Plot} */
function plot(channel, title, axes, values, bands, least) {
  const isFlat = values.every(
    (value, i) => i < axes.length || Math.abs(value - values[i - axes.length]) < least * 1e-3,
  );
  const all = { low: 0, high: 1 };
  const box = { x: 0, y: 0, width: 1, height: 1 };
  const frames = values.length / axes.length;
  return { channel, title, axes, values, bands, frames, isFlat, least, all, shown: all, box };
}

/** The curves of one bone, a window of time on them, and their places in the picture. */
export class Plots {
  /** @type {Plot[]} */
  list = [];
  /** The frames that are shown. */
  window = { low: 0, high: 1 };
  lastFrame = 0;
  #hidden = new Set();

  /**
   * Other curves; the window stays if they are as long.
   * @param {any} curves of the library @param {string} form of rotations @param {number|null} step
   */
  set(curves, form, step) {
    const { values, bands } = inForm(curves.rotation, form, step);
    const { title, axes } = FORMS[form];
    this.list = [
      plot('rotation', title, axes, values, bands, axes.length === 4 ? 0.02 : 1),
      plot('translation', 'Translation (m)', 'xyz', curves.translation, null, 1e-3),
      plot('scale', 'Scale', 'xyz', curves.scale, null, 0.02),
    ];
    const lastFrame = this.list[0].frames - 1;
    if (lastFrame !== this.lastFrame) this.window = { low: 0, high: Math.max(1, lastFrame) };
    this.lastFrame = lastFrame;
    for (const one of this.list) this.#measure(one);
  }

  clear() {
    this.list = [];
  }

  isHidden(one, axis) {
    return this.#hidden.has(`${one.channel} ${axis}`);
  }

  /** Hide an axis or show it. The others then have all the room. */
  toggle(one, axis) {
    const name = `${one.channel} ${axis}`;
    if (!this.#hidden.delete(name)) this.#hidden.add(name);
    this.#measure(one);
  }

  /** The indices of the axes that are shown. */
  axesOf(one) {
    return [...one.axes].map((_, index) => index).filter((i) => !this.isHidden(one, one.axes[i]));
  }

  #measure(one) {
    const axes = this.axesOf(one);
    const values = one.values.filter((_, i) => axes.includes(i % one.axes.length));
    const band = one.bands ? one.bands.reduce((most, width) => Math.max(most, width), 0) : 0;
    one.all = range(values, Math.max(one.least, band * 3));
    one.shown = one.all;
  }

  /** Show everything. */
  fit() {
    this.window = this.#allFrames;
    for (const one of this.list) one.shown = one.all;
  }

  get #allFrames() {
    return { low: 0, high: Math.max(1, this.lastFrame) };
  }

  get isWhole() {
    const { low, high } = this.window;
    const all = this.#allFrames;
    return low <= all.low && high >= all.high && this.list.every(({ shown, all: own }) => shown === own);
  }

  zoomTime(frame, factor) {
    const limits = { least: Math.min(LEAST_FRAMES, Math.max(1, this.lastFrame)), all: this.#allFrames };
    this.window = zoomed(this.window, frame, factor, limits);
  }

  panTime(frames) {
    this.window = panned(this.window, frames, this.#allFrames);
  }

  /** Zoom a plot until a step of the file fills it, or out to three times of everything. */
  zoomValue(one, value, factor) {
    const span = one.all.high - one.all.low;
    const all = { low: one.all.low - span, high: one.all.high + span };
    one.shown = zoomed(one.shown, value, factor, { least: 1e-6, all });
  }

  panValue(one, by) {
    const span = one.all.high - one.all.low;
    one.shown = panned(one.shown, by, { low: one.all.low - span, high: one.all.high + span });
  }

  /** Bring a frame into the window: the next page of it while the clip plays. */
  follow(frame) {
    const { low, high } = this.window;
    if (frame > high) this.panTime(frame - low);
    else if (frame < low) this.panTime(frame - high);
  }

  /** Lay the plots out, one below the other. Plots of constants are low. */
  layOut(width, height, head) {
    const flat = this.list.filter((one) => one.isFlat).length;
    const isMixed = flat < this.list.length;
    const low = head + FLAT + BELOW;
    const each = (height - (isMixed ? flat * low : 0)) / (isMixed ? this.list.length - flat : flat || 1);
    let top = 0;
    for (const one of this.list) {
      const room = one.isFlat && isMixed ? low : each;
      one.box = {
        x: LEFT,
        y: top + head,
        width: Math.max(1, width - LEFT - RIGHT),
        height: Math.max(1, room - head - BELOW),
      };
      top += room;
    }
  }

  x(one, frame) {
    const { low, high } = this.window;
    return one.box.x + ((frame - low) / (high - low)) * one.box.width;
  }

  y(one, value) {
    const { low, high } = one.shown;
    return one.box.y + one.box.height - ((value - low) / (high - low)) * one.box.height;
  }

  /** The frame at a position, not rounded. */
  frameAt(x) {
    const { box } = this.list[0];
    const { low, high } = this.window;
    return low + ((x - box.x) / box.width) * (high - low);
  }

  valueAt(one, y) {
    const { low, high } = one.shown;
    return high - ((y - one.box.y) / one.box.height) * (high - low);
  }

  /** The plot at a height, if any. */
  plotAt(y) {
    return this.list.find(({ box }) => y >= box.y - 6 && y <= box.y + box.height + 6) ?? null;
  }

  value(one, frame, index) {
    const at = Math.min(Math.max(0, frame), one.frames - 1);
    return one.values[at * one.axes.length + index];
  }

  /**
   * What is at a position: the plot, the nearest frame, and the axis whose point is within `reach` pixels.
   * @returns {{ plot: Plot, frame: number, axis: string|null }|null}
   */
  pointAt(x, y, reach = 10) {
    const one = this.plotAt(y);
    if (!one) return null;
    const near = Math.round(this.frameAt(x));
    const last = one.frames - 1;
    let best = { plot: one, frame: Math.min(Math.max(0, near), last), axis: null };
    let least = reach;
    // If frames are narrower than the reach, the best one may be a neighbour.
    for (let frame = Math.max(0, near - 3); frame <= Math.min(last, near + 3); frame++) {
      for (const index of this.axesOf(one)) {
        const distance = Math.hypot(
          this.x(one, frame) - x,
          this.y(one, this.value(one, frame, index)) - y,
        );
        if (distance < least) {
          least = distance;
          best = { plot: one, frame, axis: one.axes[index] };
        }
      }
    }
    return best;
  }
}
