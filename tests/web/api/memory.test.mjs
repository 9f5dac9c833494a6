// SPDX-License-Identifier: MIT
//
// Who holds which memory, and how long.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';

import { load } from '../../../web/api/ossa.js';
import { failureOf, moduleBytes, OssaError, samples, sampleWorkspace, start, startWatched } from './support.mjs';

test('what is freed is free: 1000 rounds take no more memory than a few', async () => {
  const { ossa, memory } = await startWatched();
  const names = ['bird/bird.skb', 'bird/glide.anb', 'packed/figures.res', 'packed/NICO.DAT'];
  const contents = names.map((name) => readFileSync(join(samples, name)));
  const round = (i) => {
    const files = ossa.workspace();
    for (const [k, name] of names.entries()) files.add(name, contents[k]);
    const file = files.open('packed/figures.res#troll.anm#walk#hd');
    file.facts();
    file.dump();
    const scene = files.scene(i % 10 === 0 ? ['packed/figures.res#troll'] : ['bird']);
    const pose = scene.pose();
    pose.sample(0, 0.5);
    scene.glb();
    files.entries(i % 2 === 0 ? 'packed/NICO.DAT' : 'packed/figures.res#troll.anm');
    failureOf(() => files.entries('bird/bird.skb'));
    failureOf(() => files.open('nothing'));
    failureOf(() => files.scene(['packed/figures.res']));
    files.survey(files.figures()[0].paths);
    files.fields('bird/glide.anb', { limit: 10 });
    for (const held of [pose, scene, file, files]) held.free();
  };
  for (let i = 0; i < 20; i++) round(i);
  const before = memory.buffer.byteLength;
  for (let i = 0; i < 1000; i++) round(i);
  assert.equal(memory.buffer.byteLength, before);
});

test('views are right after the memory has grown', async () => {
  const { ossa, memory } = await startWatched();
  const files = sampleWorkspace(ossa);
  const scene = files.scene(['wyvern']);
  const pose = scene.pose();
  pose.sample(0, 0.5, 'loop');
  const wing = scene.meshes.findIndex((mesh) => mesh.targetCount > 0);
  const read = () => ({
    arrays: [pose.locals, pose.models, pose.matrices, pose.visible, pose.morphWeights(wing),
      scene.meshes[0].positions, scene.meshes[0].indices, scene.meshes[wing].targets,
      scene.textures[0].pixels].map((array) => [...array]),
  });
  assert.equal(pose.matrices, pose.matrices); // the same view as long as it is good
  const before = read();
  const old = pose.matrices;
  const { buffer } = memory;
  files.add('large', new Uint8Array(buffer.byteLength + (1 << 20)));
  assert.notEqual(memory.buffer, buffer);
  assert.equal(old.length, 0);
  assert.deepEqual(read(), before);
  pose.sample(1, 0.1);
  pose.sample(0, 0.5, 'loop');
  assert.deepEqual(read(), before);
});

test('bytes of the module itself can be added', async () => {
  const { ossa, memory } = await startWatched();
  const files = sampleWorkspace(ossa);
  const scene = files.scene(['wyvern']);
  const { pixels } = scene.textures[0];
  const copy = pixels.slice();
  files.add('fill', new Uint8Array(memory.buffer.byteLength >> 1));
  files.add('pixels', scene.textures[0].pixels);
  assert.deepEqual(files.bytes('pixels'), copy);
});

test('a file takes its own size, not twice that, however it comes', async () => {
  const size = 64 << 20;
  for (const isBlob of [false, true]) {
    const { ossa, memory } = await startWatched();
    const files = ossa.workspace();
    const before = memory.buffer.byteLength;
    const bytes = new Uint8Array(size).fill(7);
    if (isBlob) await files.addBlob('large', new Blob([bytes]));
    else files.add('large', bytes);
    assert.ok(memory.buffer.byteLength - before < 1.25 * size, `${memory.buffer.byteLength - before} bytes`);
    files.free();
    const again = ossa.workspace();
    const grown = memory.buffer.byteLength;
    again.add('large', bytes);
    assert.equal(memory.buffer.byteLength, grown, 'it was not given back');
  }
});

test('a Blob is read in parts, with progress; other calls work meanwhile', async () => {
  const ossa = await start();
  const files = ossa.workspace();
  const bytes = new Uint8Array(10_000_000).map((_, i) => i % 251);
  const seen = [];
  const coming = files.addBlob('a/large', new Blob([bytes]), {
    onProgress: (done, total) => {
      seen.push([done, total]);
      assert.equal(files.has('a/large'), false);
      files.add(`a/${done}`, new Uint8Array(1 << 20)); // may move the memory
    },
  });
  assert.equal(files.has('a/large'), false);
  await coming;
  assert.ok(seen.length >= 3, `${seen.length} parts`);
  assert.deepEqual([seen[0], seen.at(-1)], [[0, 10_000_000], [10_000_000, 10_000_000]]);
  assert.deepEqual(files.bytes('a/large'), bytes);
  await files.addBlob('empty', new Blob([]));
  assert.equal(files.bytes('empty').length, 0);
});

test('reading a Blob can be aborted, and then leaves nothing', async () => {
  const { ossa, memory } = await startWatched();
  const files = ossa.workspace();
  const blob = new Blob([new Uint8Array(20 << 20)]);
  const abort = async () => {
    const controller = new AbortController();
    const onProgress = (done) => done > 0 && controller.abort();
    await assert.rejects(files.addBlob('x', blob, { signal: controller.signal, onProgress }), { name: 'AbortError' });
    await assert.rejects(files.addBlob('x', blob, { signal: controller.signal }), { name: 'AbortError' });
    assert.deepEqual([files.has('x'), files.paths()], [false, []]);
  };
  await abort();
  const before = memory.buffer.byteLength;
  for (let i = 0; i < 5; i++) await abort();
  assert.equal(memory.buffer.byteLength, before);
  const freed = ossa.workspace();
  const coming = freed.addBlob('x', blob);
  freed.free();
  await assert.rejects(coming, /has been freed/);
  await assert.rejects(files.addBlob('..', blob), TypeError);
  await assert.rejects(files.addBlob('x', /** @type {any} */ ({ size: 3 * 2 ** 30 })), { code: 'out-of-memory' });
  /** @type {any} */
  const broken = { size: 10, slice: () => ({ arrayBuffer: async () => Promise.reject(new Error('gone')) }) };
  await assert.rejects(files.addBlob('x', broken), /gone/);
});

test('using what has been freed throws', async () => {
  const ossa = await start();
  const files = sampleWorkspace(ossa);
  const file = files.open('bird/bird.skb');
  const scene = files.scene(['bird']);
  const other = files.scene(['wyvern']);
  const pose = scene.pose();
  const orphan = other.pose();
  for (const held of [pose, scene, other, file, files]) {
    held.free();
    held.free(); // twice is fine
  }
  const gone = /has been freed/;
  for (const call of [
    () => file.facts(), () => file.format, () => file.write(), () => scene.pose(), () => scene.glb(),
    () => scene.json(), () => scene.curves(0, 0), () => scene.rotationStep(0, 0),
    () => other.meshes[0].positions, () => other.textures[0].pixels,
    () => pose.sample(0, 0), () => pose.matrices, () => pose.camera(0, 0), () => pose.stayInPlace(),
    () => orphan.sample(0, 0), () => orphan.locals, () => orphan.morphWeights(0),
    () => files.add('x', new Uint8Array(1)), () => files.paths(), () => files.scene(['bird']),
    () => files.open('bird/bird.skb'), () => files.has('x'), () => files.bytes('x'),
  ]) {
    assert.throws(call, (/** @type {Error} */ error) => gone.test(error.message) || error instanceof RangeError, String(call));
  }
  assert.throws(() => pose.matrices, gone);
  assert.throws(() => orphan.locals, gone);
  orphan.free();
});

test('files and scenes outlive the workspace, and what is replaced in it', async () => {
  const ossa = await start();
  const files = sampleWorkspace(ossa);
  const direct = files.open('bird/fly.anb');
  const inner = files.open('packed/figures.res#troll.anm#walk#hd');
  const archive = files.open('packed/figures.res');
  const texts = [direct, inner, archive].map((file) => file.dump());
  const scene = files.scene(['packed/figures.res#troll']);
  files.add('bird/fly.anb', new Uint8Array(10));
  files.remove('packed/figures.res');
  files.free();
  const rest = ossa.workspace();
  for (let i = 0; i < 50; i++) rest.add(`${i}`, new Uint8Array(100000).fill(i)); // into what is free
  assert.deepEqual([direct, inner, archive].map((file) => file.dump()), texts);
  assert.equal(archive.facts().facts.entries, 6);
  assert.equal(archive.entries().length > 0, true);
  assert.equal(scene.glb().length > 1000, true);
});

test('a module that crashes says so, and is not used again', async () => {
  const { instantiate } = WebAssembly;
  let ossa;
  let broken = false;
  WebAssembly.instantiate = /** @type {any} */ (async (module, imports) => {
    const { exports } = /** @type {any} */ (await instantiate(module, imports));
    const wrapped = { ...exports };
    wrapped.workspace_walk = (...numbers) => {
      if (broken) throw new WebAssembly.RuntimeError('unreachable');
      return exports.workspace_walk(...numbers);
    };
    return { exports: wrapped };
  });
  try {
    ossa = await load(await WebAssembly.compile(moduleBytes));
  } finally {
    WebAssembly.instantiate = instantiate;
  }
  const files = ossa.workspace();
  broken = true;
  const isCrash = (error) => error instanceof OssaError && error.code === 'crashed' && /load a new one/.test(error.message);
  assert.throws(() => files.walk('.'), isCrash);
  broken = false;
  assert.throws(() => files.walk('.'), isCrash);
  assert.throws(() => ossa.workspace(), isCrash);
  files.free(); // is fine all the same
});
