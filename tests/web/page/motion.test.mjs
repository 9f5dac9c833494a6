// SPDX-License-Identifier: MIT
//
// The page samples by itself. What it finds is what the library finds: every sample, between frames too.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';

import { multiply } from '../../../web/page/play/ground.js';
import { Motion, momentOf, sampleCamera } from '../../../web/page/play/motion.js';
import { Pose } from '../../../web/page/play/pose.js';
import { listFiles, samples, start } from '../api/support.mjs';

const ossa = await start();

function* scenesOf(folder) {
  const files = ossa.workspace();
  for (const path of listFiles(join(samples, folder))) files.add(path, readFileSync(join(samples, folder, path)));
  for (const figure of files.figures()) {
    const scene = files.scene(figure.paths);
    yield scene;
    scene.free();
  }
  files.free();
}

const worst = (found, wanted) => wanted.reduce((most, value, i) => Math.max(most, Math.abs(value - found[i])), 0);

function sizeOf(matrices) {
  return Math.max(1, ...matrices.map(Math.abs));
}

for (const folder of ['troll', 'wyvern', 'pedestrian', 'rabbit', 'bird', 'packed', 'more']) {
  test(`${folder}: poses are those of the library`, () => {
    let compared = 0;
    for (const scene of scenesOf(folder)) {
      const pose = new Pose(scene.bones);
      const theirs = scene.pose();
      scene.clips.forEach((clip, index) => {
        const motion = new Motion(scene.motion(index));
        const length = clip.frameCount / clip.fps;
        const times = [0, 0.3, 1.7, 5.5, clip.frameCount - 1, clip.frameCount - 0.25].map((frame) => frame / clip.fps);
        for (const [time, wrap] of [...times, -0.1, length + 0.13].flatMap((at) => /** @type {[number, 'clamp' | 'loop'][]} */ ([[at, 'clamp'], [at, 'loop']]))) {
          for (const isInPlace of [false, true]) {
            pose.sample(motion, time, wrap);
            theirs.sample(index, time, wrap);
            if (isInPlace) {
              pose.stayInPlace();
              theirs.stayInPlace();
            }
            pose.update();
            const bound = 2e-6 * sizeOf(theirs.matrices);
            assert.ok(worst(pose.matrices, theirs.matrices) <= bound, `${clip.name} at ${time}, ${wrap}`);
            assert.deepEqual(pose.visible, theirs.visible);
            compared += 1;
          }
          for (const { mesh, from, to, part } of motion.morphs(time, wrap)) {
            const weights = new Float32Array(scene.meshes[mesh].targetCount);
            if (from >= 0) weights[from] += from === to ? 1 : 1 - part;
            if (to >= 0 && to !== from) weights[to] += part;
            assert.ok(worst(weights, theirs.morphWeights(mesh)) < 1e-6);
          }
        }
        for (const bone of scene.bones.keys()) {
          assert.deepEqual(motion.curve(bone), scene.curves(index, bone));
          assert.equal(motion.rotationStep(bone), scene.rotationStep(index, bone));
        }
      });
      scene.cameras.forEach((camera, index) => {
        const keys = scene.cameraKeys(index);
        for (const part of [0, 0.1, 0.5, 0.77, 1, 1.2]) {
          const mine = sampleCamera(keys, part * camera.duration);
          const wanted = theirs.camera(index, part * camera.duration);
          assert.ok(worst(mine.translation, wanted.translation) < 1e-5);
          assert.ok(worst(mine.rotation, wanted.rotation) < 2e-6);
          assert.ok(Math.abs(mine.fieldOfView - wanted.fieldOfView) < 1e-6);
          compared += 1;
        }
      });
      theirs.free();
    }
    assert.ok(compared > 0);
  });
}

test('the frames around a time, and where a loop ends', () => {
  assert.deepEqual(momentOf(10, 10, 0.25, 'clamp'), { from: 2, to: 3, part: 0.5 });
  assert.deepEqual(momentOf(10, 10, 2, 'clamp'), { from: 9, to: 9, part: 0 });
  assert.deepEqual(momentOf(10, 10, 0.95, 'loop'), { from: 9, to: 0, part: 0.5 });
  assert.deepEqual(momentOf(10, 10, NaN, 'clamp'), { from: 0, to: 1, part: 0 });
  assert.deepEqual(momentOf(1, 10, 5, 'loop'), { from: 0, to: 0, part: 0 });
});

test('a figure that goes on stands where repeating the motion takes it', () => {
  const [s, c] = [Math.sin(0.3), Math.cos(0.3)];
  const ground = { keys: new Float32Array([1, 2, 0, 1]), cycle: new Float32Array([0.5, 0, s, c]) };
  const motion = new Motion({ fps: 30, frameCount: 2, ground });
  assert.ok(worst(motion.travelled(0), [0, 0, 0, 1]) < 1e-6);
  const once = motion.travelled(1);
  assert.ok(worst(motion.travelled(5), [1, 2, 3, 4].reduce((sum) => multiply(sum, once), once)) < 1e-5);
  assert.ok(worst(multiply(motion.travelled(-3), motion.travelled(3)), [0, 0, 0, 1]) < 1e-5);
});
