// SPDX-License-Identifier: MIT
//
// What becomes of a clip's root motion: as stored, in place, going on from one repetition to the next,
// or in place over a floor that moves. Pure.

import { inverse, multiply, ORIGIN } from './ground.js';

/** Less than this in a whole repetition, and the root only sways. */
const STILL = 1e-3; // metres

/** @typedef {{ inPlace: boolean, travel: boolean, treadmill: boolean }} Choice at most one of them */

/**
 * Put a sampled pose where it belongs.
 * @param {import('./pose.js').Pose} pose
 * @param {import('./motion.js').Motion} motion
 * @param {{ time: number, rounds: number, speed: number[] }} at seconds in the clip, repetitions before
 *   that, and metres per second along x, y and z at which the game moves the figure in this clip
 * @param {Choice} choice
 * @returns {[number, number]} where the floor is, x and z
 */
export function travel(pose, motion, { time, rounds, speed }, choice) {
  if (choice.inPlace) pose.stayInPlace();
  if (!choice.travel && !choice.treadmill) return [0, 0];
  const carried = carry(motion, time, rounds, speed);
  if (choice.travel) {
    pose.goTo(carried);
    return [0, 0];
  }
  const start = groundOfFrame(motion, 0);
  const place = pose.stayInPlace();
  pose.goTo(start); // where the clip begins, so that the figure does not jump
  const [x, z] = multiply(start, inverse(multiply(carried, place)));
  return [x, z];
}

// How far the figure is from where the clip alone would put it.
function carry(motion, time, rounds, speed) {
  const round = motion.travelled(1);
  if (Math.hypot(round[0], round[1]) > STILL) return motion.travelled(rounds);
  const seconds = time + (rounds * motion.frameCount) / motion.fps;
  /** @type {import('./ground.js').Ground} */
  const moved = [speed[0] * seconds, speed[2] * seconds, 0, 1];
  return multiply(motion.travelled(rounds), moved);
}

/** @returns {import('./ground.js').Ground} */
function groundOfFrame(motion, frame) {
  const { keys, stride } = motion.data.ground;
  const [x, z, sine, cosine] = keys.subarray(frame * stride, frame * stride + 4);
  return keys.length === 0 ? ORIGIN : [x, z, sine, cosine];
}

/** Whether a clip takes its figure anywhere. @param {any} motion @param {number[]} speed */
export function isTravelling(motion, speed) {
  const [x, z] = motion.travelled(1);
  return Math.hypot(x, z) > STILL || Math.hypot(speed[0], speed[2]) > 0;
}
