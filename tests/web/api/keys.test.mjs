// SPDX-License-Identifier: MIT
//
// Keys and the bytes that store them, both ways. tests/unit/test_keys.c has all formats and options;
// here is what JavaScript adds.

import assert from 'node:assert/strict';
import test from 'node:test';

import { sampleWorkspace, start } from './support.mjs';

const ossa = await start();
const files = sampleWorkspace(ossa);
const channels = ['rotation', 'translation', 'scale', 'visible'];
const unstored = ['rest', 'omitted'];

const figures = files.figures();

/** Every value of some frames and bones. */
function* keysOf(scene) {
  for (const [clip, { frameCount }] of scene.clips.entries()) {
    for (const bone of [...scene.bones.keys()].filter((index) => index % 3 === clip % 3)) {
      const frame = (7 * bone) % frameCount;
      for (const channel of channels) yield { clip, bone, channel, frame };
    }
  }
}

test('bytes lead back to the key that they store, and are fields of the file', () => {
  const known = new Set(files.walk('.', { deep: true, search: true }).map(({ path }) => path));
  assert.ok(figures.length > 8);
  for (const { paths } of figures) {
    const scene = files.scene(paths, { traceKeys: true });
    let stored = 0;
    for (const key of keysOf(scene)) {
      const bytes = scene.keyBytes(key);
      if (bytes.path === null) {
        assert.ok(unstored.includes(bytes.role) && bytes.size === 0, bytes.role);
        continue;
      }
      stored += 1;
      assert.ok(known.has(bytes.path), bytes.path);
      const { fields } = files.fields(bytes.path, { from: bytes.offset, to: bytes.offset + bytes.size });
      assert.equal(fields.reduce((sum, { size }) => sum + size, 0), bytes.size);
      assert.equal(fields[0].offset, bytes.offset);
      const uses = scene.keysAt(bytes.path, bytes.offset + bytes.size - 1);
      assert.ok(uses.some(({ clip, bone, channel, firstFrame, frameStep, frameCount }) => {
        const step = (key.frame - firstFrame) / frameStep;
        return clip === key.clip && bone === key.bone && channel === key.channel &&
          Number.isInteger(step) && step >= 0 && step < frameCount;
      }), JSON.stringify({ paths, key, bytes, uses }));
      for (const { firstBit, bitCount } of bytes.parts) {
        assert.ok(bitCount > 0 && firstBit + bitCount <= 8 * bytes.size);
      }
    }
    assert.ok(stored > 0 || scene.clips.length === 0, paths.join());
    scene.free();
  }
});

test('values that are not stored say why', () => {
  const plain = files.scene(['bird']);
  const key = { clip: 0, bone: 0, channel: 'rotation', frame: 1 };
  assert.equal(plain.keyBytes(key).role, 'untraced');
  assert.deepEqual(plain.keysAt('bird/fly.anb', 776), []);
  plain.free();
  const resampled = files.scene(['troll'], { resample: 4, traceKeys: true });
  assert.equal(resampled.keyBytes({ ...key, frame: 3 }).role, 'resampled');
  assert.equal(resampled.keyBytes({ ...key, frame: 4 }).role, 'key');
  resampled.free();
  const bird = files.scene(['bird'], { traceKeys: true });
  assert.equal(bird.keyBytes(key).scaling.role, 'scaling');
  assert.equal(bird.keyBytes({ ...key, channel: 'translation' }).role, 'rest');
  assert.deepEqual(bird.keysAt('bird/fly.anb', 0), []);
  assert.deepEqual(bird.keysAt('bird/none.anb', 776), []);
  bird.free();
  assert.throws(() => bird.keyBytes(key), /freed/);
});

test('bad calls throw', () => {
  const scene = files.scene(['bird'], { traceKeys: true });
  const key = { clip: 0, bone: 0, channel: 'rotation', frame: 0 };
  assert.throws(() => scene.keyBytes({ ...key, clip: 99 }), RangeError);
  assert.throws(() => scene.keyBytes({ ...key, bone: -1 }), RangeError);
  assert.throws(() => scene.keyBytes({ ...key, frame: 1e9 }), RangeError);
  assert.throws(() => scene.keyBytes({ ...key, channel: 'colour' }), RangeError);
  assert.throws(() => scene.keysAt('bird/fly.anb', -1), RangeError);
  assert.throws(() => scene.keysAt(7, 0), TypeError);
  scene.free();
});
