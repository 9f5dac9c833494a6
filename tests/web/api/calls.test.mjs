// SPDX-License-Identifier: MIT
//
// Calls that are wrong in themselves: they are refused, and the module goes on.

import assert from 'node:assert/strict';
import test from 'node:test';

import { failureOf, sampleWorkspace, start, startWatched } from './support.mjs';

test('values that are no numbers are refused, and do not end the module', async () => {
  const files = sampleWorkspace(await start());
  const pose = files.scene(['bird']).pose();
  for (const wrong of [() => pose.sample(0n, 0), () => pose.sample(0, 0n), () => pose.sample(0, Symbol('a')),
    () => files.fields('bird/fly.anb', { from: 1n })]) {
    assert.throws(wrong, (error) => error instanceof TypeError || error instanceof RangeError, String(wrong));
    pose.sample(0, 0);
  }
});

test('an argument with code of its own is refused', async () => {
  const files = sampleWorkspace(await start());
  const pose = files.scene(['bird']).pose();
  const wrong = { valueOf() { pose.free(); return 0; } };
  for (const call of [() => pose.sample(0, wrong), () => pose.camera(0, wrong), () => files.fields('bird/fly.anb', { from: wrong })]) {
    assert.throws(call, (error) => error instanceof TypeError || error instanceof RangeError, String(call));
    pose.sample(0, 0);
  }
});

test('a clip that is not there is none of those that are', async () => {
  const pose = sampleWorkspace(await start()).scene(['bird']).pose();
  for (const clip of [2, -2, 0.5, 2 ** 32, NaN, undefined, '0', null]) {
    assert.throws(() => pose.sample(clip, 0), RangeError, String(clip));
    assert.throws(() => pose.sampleFrame(clip, 0), RangeError, String(clip));
  }
  for (const clip of [-1, 0, 1]) pose.sample(clip, 0);
});

test('a path that leads to no file is said to be one', async () => {
  const files = (await start()).workspace();
  for (const path of ['', '.', '/', '..', 'a/..', './a/b/../../', '../..']) {
    assert.throws(() => files.add(path, new Uint8Array(1)), TypeError, path);
  }
  for (const path of ['...', 'a/../b', '../c', './d/']) files.add(path, new Uint8Array(1));
  assert.deepEqual(files.paths(), ['...', 'b', 'c', 'd']);
});

test('a file that is replaced again and again takes the memory of one', async () => {
  const { ossa, memory } = await startWatched();
  const files = ossa.workspace();
  const large = new Uint8Array(200 << 20);
  for (let i = 0; i < 11; i++) {
    large[0] = i;
    files.add('large.bin', large);
  }
  assert.deepEqual(files.paths(), ['large.bin']);
  assert.equal(memory.buffer.byteLength <= 2 ** 31, true);
});

test('eight bytes that claim a million bones take no memory for them', async () => {
  const { ossa, memory } = await startWatched();
  const files = ossa.workspace();
  files.add('million.anim', new Uint8Array([0, 0, 0, 0, 0x40, 0x42, 0x0f, 0]));
  const failure = failureOf(() => files.scene(['million.anim']));
  assert.deepEqual([failure.code, /1000000 placeholder bones/.test(failure.message)], ['limit', true]);
  assert.equal(memory.buffer.byteLength < 8 << 20, true);
});
