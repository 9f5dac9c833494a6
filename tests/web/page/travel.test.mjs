// SPDX-License-Identifier: MIT
//
// Where root motion takes a figure, and the floor under it.

import assert from 'node:assert/strict';
import test from 'node:test';

import { Motion } from '../../../web/page/play/motion.js';
import { Pose } from '../../../web/page/play/pose.js';
import { travel } from '../../../web/page/play/travel.js';

const BONES = [{ parent: -1, rest: new Float32Array([0, 1, 0, 0, 0, 0, 1, 1, 1, 1]) }];
const NOTHING = { of: new Uint32Array(0), width: 3, keys: new Float32Array(0) };
const NONE = { inPlace: false, travel: false, treadmill: false };

// Half a metre per frame along z, if it walks.
function motionOf(walks) {
  const step = walks ? 0.5 : 0;
  const frames = [0, 1, 2, 3];
  return new Motion({
    fps: 1,
    frameCount: 4,
    constant: BONES[0].rest,
    constantVisible: new Uint8Array([1]),
    rotations: { ...NOTHING, width: 4 },
    translations: { of: new Uint32Array([0]), width: 3, keys: new Float32Array(frames.flatMap((f) => [0, 1, f * step])) },
    scales: NOTHING,
    visibilities: { of: new Uint32Array(0), width: 1, keys: new Uint8Array(0) },
    morphs: { of: new Uint32Array(0), width: 1, keys: new Int32Array(0) },
    ground: { keys: new Float32Array(frames.flatMap((f) => [0, f * step, 0, 1])), stride: 4, cycle: new Float32Array([0, 4 * step, 0, 1]) },
  });
}

function at(walks, time, rounds, choice, speed = [0, 0, 0]) {
  const motion = motionOf(walks);
  const pose = new Pose(BONES);
  pose.sample(motion, time);
  const floor = travel(pose, motion, { time, rounds, speed }, { ...NONE, ...choice });
  return [...pose.locals.subarray(0, 3), ...floor].map((x) => Math.round(x * 1e5) / 1e5 + 0);
}

test('as stored, in place, on and on, and over a floor that moves', () => {
  assert.deepEqual(at(true, 2, 3, {}), [0, 1, 1, 0, 0]);
  assert.deepEqual(at(true, 2, 3, { inPlace: true }), [0, 1, 0, 0, 0]);
  assert.deepEqual(at(true, 2, 3, { travel: true }), [0, 1, 7, 0, 0]);
  assert.deepEqual(at(true, 2, 3, { treadmill: true }), [0, 1, 0, 0, -7]);
  assert.deepEqual(at(true, 0, -1, { travel: true }), [0, 1, -2, 0, 0]);
});

test('a clip whose root stays takes the speed of the game', () => {
  assert.deepEqual(at(false, 2, 1, { travel: true }, [0, 0, 0.25]), [0, 1, 1.5, 0, 0]);
  assert.deepEqual(at(false, 2, 1, { treadmill: true }, [0.5, 0, 0]), [0, 1, 0, -3, 0]);
  assert.deepEqual(at(true, 2, 1, { travel: true }, [9, 9, 9]), [0, 1, 3, 0, 0], 'not both');
});
