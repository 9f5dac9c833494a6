// SPDX-License-Identifier: MIT
//
// The keys of a clip, and what they are at a time. The library sends them once for each clip (Motion in
// ossa.d.ts), so that playing needs no call. The rules are those of docs/sampling.md. Pure.

import { inverse, multiply } from './ground.js';
import { slerp } from './quaternion.js';

const SAME_FRAME = 1e-6;

/** @typedef {{ of: Uint32Array, width: number, keys: any }} Tracks */

/** Two frames and the way between them, 0 to 1. */
export function momentOf(frameCount, fps, seconds, wrap) {
  const last = frameCount - 1;
  let frame = seconds * fps;
  if (last <= 0) return { from: 0, to: 0, part: 0 };
  if (!Number.isFinite(frame)) frame = 0;
  if (wrap === 'loop') frame = ((frame % frameCount) + frameCount) % frameCount;
  else if (frame >= last) return { from: last, to: last, part: 0 };
  else frame = Math.max(0, frame);
  const whole = Math.floor(frame + SAME_FRAME);
  const part = frame - whole < SAME_FRAME ? 0 : frame - whole;
  const from = whole > last ? 0 : whole;
  return { from, to: from === last ? 0 : from + 1, part };
}

export class Motion {
  /** @param {any} data Motion in ossa.d.ts */
  constructor(data) {
    this.data = data;
    this.fps = data.fps;
    this.frameCount = data.frameCount;
  }

  /**
   * Write the pose at a time.
   * @param {number} seconds @param {string} wrap 'clamp' or 'loop'
   * @param {Float32Array} locals [bone][10] @param {Uint8Array} visible [bone]
   */
  sample(seconds, wrap, locals, visible) {
    const { data } = this;
    locals.set(data.constant);
    visible.set(data.constantVisible);
    if (this.frameCount === 0) return;
    const at = momentOf(this.frameCount, this.fps, seconds, wrap);
    rotate(data.rotations, at, locals);
    move(data.translations, at, locals, 0);
    move(data.scales, at, locals, 7);
    const { of, keys } = data.visibilities;
    of.forEach((bone, track) => (visible[bone] = keys[at.from * of.length + track]));
  }

  /** The targets of the meshes that have some at a time: [{ mesh, from, to, part }]; a target of -1 is
   * the mesh itself. */
  morphs(seconds, wrap) {
    const { of, keys } = this.data.morphs;
    if (of.length === 0 || this.frameCount === 0) return [];
    const { from, to, part } = momentOf(this.frameCount, this.fps, seconds, wrap);
    return [...of].map((mesh, track) => ({
      mesh,
      from: keys[from * of.length + track],
      to: keys[to * of.length + track],
      part,
    }));
  }

  /** The curves of one bone: rotation 4, translation and scale 3 numbers per frame, visible 1. */
  curve(bone) {
    const { data, frameCount } = this;
    const of = (tracks, offset) =>
      curveOf(tracks, bone, frameCount, data.constant.subarray(bone * 10 + offset));
    return {
      rotation: of(data.rotations, 3),
      translation: of(data.translations, 0),
      scale: of(data.scales, 7),
      visible: curveOf(data.visibilities, bone, frameCount, data.constantVisible.subarray(bone)),
    };
  }

  /** See rotationStep in ossa.d.ts. */
  rotationStep(bone) {
    const step = this.data.rotationSteps?.[bone] ?? 0;
    return step < 0 ? null : step;
  }

  /** How far the figure has come after some repetitions of a looping clip, as a place that is put
   * before the pose. @param {number} rounds @returns {import('./ground.js').Ground} */
  travelled(rounds) {
    const { keys, cycle } = this.data.ground;
    /** @type {any} */
    const start = [...keys.subarray(0, 4)];
    /** @type {any} */
    let way = [...cycle];
    let sum = start;
    for (let left = Math.abs(rounds); left > 0; left = Math.floor(left / 2)) {
      if (left % 2 === 1) sum = multiply(sum, rounds < 0 ? inverse(way) : way);
      way = multiply(way, way);
    }
    return multiply(sum, inverse(start));
  }
}

function rotate({ of, keys }, { from, to, part }, locals) {
  const [a, b] = [from * of.length * 4, to * of.length * 4];
  for (let track = 0; track < of.length; track++) {
    const out = of[track] * 10 + 3;
    if (part === 0) for (let k = 0; k < 4; k++) locals[out + k] = keys[a + track * 4 + k];
    else slerp(keys, a + track * 4, keys, b + track * 4, part, locals, out);
  }
}

function move({ of, keys }, { from, to, part }, locals, member) {
  const [a, b] = [from * of.length * 3, to * of.length * 3];
  for (let track = 0; track < of.length; track++) {
    const out = of[track] * 10 + member;
    for (let k = track * 3, i = 0; i < 3; i++)
      locals[out + i] =
        part === 0 ? keys[a + k + i] : keys[a + k + i] + (keys[b + k + i] - keys[a + k + i]) * part;
  }
}

function curveOf({ of, width, keys }, bone, frames, constant) {
  const track = of.indexOf(bone);
  const values = new (constant.constructor)(frames * width);
  for (let frame = 0; frame < frames; frame++) {
    const at = (frame * of.length + track) * width;
    values.set(track < 0 ? constant.subarray(0, width) : keys.subarray(at, at + width), frame * width);
  }
  return values;
}

/** Where a camera is at a time: { translation, rotation, fieldOfView }.
 * @param {any} keys CameraKeys in ossa.d.ts @param {number} seconds */
export function sampleCamera({ times, translations, rotations, fieldsOfView }, seconds) {
  let from = 0;
  while (from + 2 < times.length && times[from + 1] <= seconds) from += 1;
  const to = Math.min(from + 1, times.length - 1);
  const span = times[to] - times[from];
  const part = span > 0 ? Math.min(Math.max(0, (seconds - times[from]) / span), 1) : 0;
  const mix = (list, i, j) => list[i] + (list[j] - list[i]) * part;
  const rotation = [0, 0, 0, 1];
  slerp(rotations, from * 4, rotations, to * 4, part, rotation, 0);
  return {
    translation: [0, 1, 2].map((k) => mix(translations, from * 3 + k, to * 3 + k)),
    rotation,
    fieldOfView: mix(fieldsOfView, from, to),
  };
}
