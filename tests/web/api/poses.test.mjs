// SPDX-License-Identifier: MIT
//
// Poses: matrices, ways to go on past the end, morphs, cameras, curves; and how long it takes.

import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';

import { inTemporaryFolder, run, samples, sampleWorkspace, start } from './support.mjs';

const ossa = await start();
const files = sampleWorkspace(ossa);

/** The matrix of a transform, in double. */
function matrixOf([tx, ty, tz, x, y, z, w, sx, sy, sz]) {
  return [
    (1 - 2 * (y * y + z * z)) * sx, 2 * (x * y + z * w) * sx, 2 * (x * z - y * w) * sx, 0,
    2 * (x * y - z * w) * sy, (1 - 2 * (x * x + z * z)) * sy, 2 * (y * z + x * w) * sy, 0,
    2 * (x * z + y * w) * sz, 2 * (y * z - x * w) * sz, (1 - 2 * (x * x + y * y)) * sz, 0,
    tx, ty, tz, 1];
}

function multiply(a, b) {
  const out = [];
  for (let column = 0; column < 4; column++) {
    for (let row = 0; row < 4; row++) {
      let sum = 0;
      for (let k = 0; k < 4; k++) sum += a[4 * k + row] * b[4 * column + k];
      out.push(sum);
    }
  }
  return out;
}

test('matrices are the locals of a bone and of its parents, multiplied', () => {
  for (const word of ['troll', 'rabbit', 'bird', 'pedestrian', 'wyvern']) {
    const scene = files.scene([word]);
    const pose = scene.pose();
    pose.sample(0, 0.37, 'loop');
    const done = [];
    for (const [i, { parent }] of scene.bones.entries()) {
      const own = matrixOf(pose.locals.subarray(10 * i, 10 * i + 10));
      done.push(parent < 0 ? own : multiply(done[parent], own));
      for (let k = 0; k < 16; k++) {
        assert.ok(Math.abs(done[i][k] - pose.matrices[16 * i + k]) < 1e-5, `${word} ${i} ${k}`);
      }
    }
    pose.free();
    scene.free();
  }
});

test('times past the end clamp, go round, or back', () => {
  const scene = files.scene(['troll']);
  const pose = scene.pose();
  const { fps, frameCount } = scene.clips[2];
  const at = (seconds, wrap) => {
    pose.sample(2, seconds, wrap);
    return pose.locals.slice();
  };
  const frame = (index) => {
    pose.sampleFrame(2, index);
    return pose.locals.slice();
  };
  assert.deepEqual(at(1e9), frame(frameCount - 1));
  assert.deepEqual(frame(1e12), frame(frameCount - 1));
  assert.deepEqual(at((frameCount + 3) / fps, 'loop'), frame(3));
  assert.deepEqual(at((frameCount - 1 + 2) / fps, 'ping-pong'), frame(frameCount - 3));
  assert.deepEqual(at(NaN, 'loop'), frame(0));
  pose.sample(-1, 0);
  assert.deepEqual([...pose.locals], scene.bones.flatMap(({ rest }) => [...rest]));
  assert.throws(() => pose.sample(0, 0, 'bounce'), RangeError);
  assert.throws(() => pose.sample(99, 0), RangeError);
  assert.throws(() => pose.sample(-2, 0), RangeError);
  assert.throws(() => pose.sampleFrame(0, -1), RangeError);
  pose.free();
  scene.free();
});

test('a pose that stays in place stands at the origin', () => {
  const scene = files.scene(['pedestrian']);
  const pose = scene.pose();
  const walk = scene.clips.findIndex(({ name }) => name === 'walk');
  pose.sample(walk, 0.6);
  const height = pose.locals[1];
  assert.ok(Math.abs(pose.locals[2]) > 0.1);
  pose.stayInPlace();
  assert.ok(Math.abs(pose.locals[0]) < 1e-6 && Math.abs(pose.locals[2]) < 1e-6);
  assert.ok(Math.abs(pose.locals[1] - height) < 1e-6);
  assert.deepEqual([...pose.matrices.subarray(12, 15)], [...pose.locals.subarray(0, 3)]);
  pose.free();
  scene.free();
});

test('curves are what the frames are', () => {
  for (const word of ['rabbit', 'wyvern', 'bird']) {
    const scene = files.scene([word]);
    const pose = scene.pose();
    for (const [clip, { frameCount }] of scene.clips.entries()) {
      const curves = scene.bones.map((bone, i) => scene.curves(clip, i));
      for (let frame = 0; frame < frameCount; frame += 5) {
        pose.sampleFrame(clip, frame);
        for (const [i, { rotation, translation, scale, visible }] of curves.entries()) {
          const found = [...translation.subarray(3 * frame, 3 * frame + 3),
            ...rotation.subarray(4 * frame, 4 * frame + 4), ...scale.subarray(3 * frame, 3 * frame + 3)];
          assert.deepEqual(found, [...pose.locals.subarray(10 * i, 10 * i + 10)]);
          assert.equal(visible[frame], pose.visible[i]);
          assert.equal(rotation.length + translation.length + scale.length + visible.length, 11 * frameCount);
        }
      }
    }
    assert.throws(() => scene.curves(0, scene.bones.length), RangeError);
    assert.throws(() => scene.curves(-1, 0), RangeError);
    pose.free();
    scene.free();
  }
});

test('morph weights are those of the document', () => {
  const document = JSON.parse(run(samples, 'convert', 'wyvern', '--to', 'json', '-o', '-').text);
  const scene = files.scene(['wyvern']);
  const pose = scene.pose();
  const fly = scene.clips.findIndex(({ name }) => name === 'fly');
  for (const { mesh, keys } of document.clips[fly].morphs) {
    for (const [frame, key] of keys.entries()) {
      pose.sampleFrame(fly, frame);
      const weights = [...pose.morphWeights(mesh)];
      assert.deepEqual(weights, weights.map((weight, target) => (target === key ? 1 : 0)));
      pose.sample(fly, (frame + 0.5) / scene.clips[fly].fps, 'loop');
      const next = keys[(frame + 1) % keys.length];
      const sum = pose.morphWeights(mesh).reduce((a, b) => a + b, 0);
      assert.ok(Math.abs(sum - ((key >= 0 ? 0.5 : 0) + (next >= 0 ? 0.5 : 0))) < 1e-6);
    }
  }
  pose.sample(-1, 0);
  assert.ok(pose.morphWeights(5).every((weight) => weight === 0));
  assert.throws(() => pose.morphWeights(99), RangeError);
  pose.free();
  scene.free();
});

/** What moves a vertex: the matrix of its bone, or the mean of those of its bones, from where they are at rest. */
function moveOf(scene, mesh, v, matrices) {
  const matrix = (all, bone) => all.subarray(16 * bone, 16 * bone + 16);
  if (!mesh.joints) return matrix(matrices, mesh.vertexBones?.[v] ?? mesh.bone);
  const sum = new Array(16).fill(0);
  for (let j = 4 * v; j < 4 * v + 4; j++) {
    const move = multiply(matrix(matrices, mesh.joints[j]), matrix(scene.inverseBinds, mesh.joints[j]));
    move.forEach((number, k) => { sum[k] += mesh.weights[j] * number; });
  }
  return sum;
}

test('skinned vertices are the positions, moved by the matrices of their bones', () => {
  for (const [word, at] of [['bird', { boxes: true }], ['rabbit', {}], ['pedestrian', {}], ['wyvern', {}]]) {
    const scene = files.scene([word], at);
    const pose = scene.pose();
    pose.sample(0, 0.37, 'loop');
    for (const [index, mesh] of scene.meshes.entries()) {
      const { positions, normals } = scene.skin(index, pose);
      const weights = pose.morphWeights(index);
      assert.deepEqual([positions.length, normals?.length], [3 * mesh.vertexCount, mesh.normals?.length]);
      for (let v = 0; v < mesh.vertexCount; v++) {
        const point = [0, 1, 2].map((k) => weights.reduce(
          (sum, weight, t) => sum + weight * mesh.targets[3 * (t * mesh.vertexCount + v) + k], mesh.positions[3 * v + k]));
        const matrix = moveOf(scene, mesh, v, pose.matrices);
        for (let k = 0; k < 3; k++) {
          const wanted = matrix[k] * point[0] + matrix[4 + k] * point[1] + matrix[8 + k] * point[2] + matrix[12 + k];
          assert.ok(Math.abs(positions[3 * v + k] - wanted) < 1e-5, `${word} ${mesh.name} ${v}`);
        }
        if (normals !== null) {
          assert.ok(Math.abs(Math.hypot(...normals.subarray(3 * v, 3 * v + 3)) - 1) < 1e-5);
        }
      }
    }
    // At rest, the matrix of a bone and its inverse cancel.
    pose.sample(-1, 0);
    for (const i of scene.bones.keys()) {
      const product = multiply(pose.matrices.subarray(16 * i, 16 * i + 16), scene.inverseBinds.subarray(16 * i, 16 * i + 16));
      for (const [k, number] of product.entries()) assert.ok(Math.abs(number - (k % 5 === 0 ? 1 : 0)) < 1e-5);
    }
    const other = files.scene(['bird']);
    assert.throws(() => other.skin(0, pose), (error) => error instanceof TypeError || error instanceof RangeError);
    assert.throws(() => scene.skin(scene.meshes.length, pose), RangeError);
    assert.throws(() => scene.skin(0, null), TypeError);
    for (const held of [other, pose, scene]) held.free();
  }
});

test('cameras are where their keys say', () => {
  for (const [words, name] of [[['rabbit', 'more/stage.anc'], 'stage'], [['troll', 'more/flight.cam'], 'flight']]) {
    const document = JSON.parse(run(samples, 'convert', ...words, '--to', 'json', '-o', '-').text);
    const scene = files.scene(words);
    const pose = scene.pose();
    const [camera] = document.cameras;
    assert.equal(scene.cameras[0].name, name);
    for (let key = 0; key < camera.times.length; key += 4) {
      const place = pose.camera(0, Math.fround(camera.times[key]));
      assert.deepEqual([...place.translation], camera.positions[key].map(Math.fround));
      assert.deepEqual([...place.rotation], camera.rotations[key].map(Math.fround));
      assert.equal(place.fieldOfView, Math.fround(camera.fields_of_view[key]));
    }
    assert.throws(() => pose.camera(1, 0), RangeError);
    pose.free();
    scene.free();
  }
});

test('how coarse rotations are stored', () => {
  const steps = (words, options) => {
    const scene = files.scene(words, options);
    const result = scene.clips.map((clip, i) => scene.bones.map((bone, k) => scene.rotationStep(i, k)));
    scene.free();
    return result;
  };
  for (const word of ['troll', 'pedestrian']) {
    assert.ok(steps([word]).flat().every((step) => step === 0));
  }
  assert.ok(steps(['rabbit']).flat().every((step) => step === Math.fround((2 * Math.PI) / 4096)));
  // From the file itself: the flags of its bones, and their constants.
  const { data } = JSON.parse(run(samples, 'dump', 'bird/fly.anb').text);
  const [fly] = steps(['bird']);
  for (const [i, { flag, constants }] of data.bones.entries()) {
    const extents = constants.filter((number, k) => k % 2 === 1).map(Math.abs);
    if (flag === 0) assert.equal(fly[i], 0);
    else if (flag >= 3 && flag <= 6) near(fly[i], 2 * Math.max(...extents.slice(0, 3)) / 256);
    else if (flag === 12) near(fly[i], 2 * Math.max(...extents) / 32768);
    else assert.ok(fly[i] > 0 && fly[i] < 0.01);
  }
  assert.deepEqual(steps(['bird/fly.anb', 'bird/bird.skb'])[0], fly);
  // Joined clips are of several files.
  assert.ok(steps(['bird'], { join: true }).flat().every((step) => step === null));
});

function near(a, b) {
  assert.ok(Math.abs(a - b) <= 1e-6 * Math.abs(b), `${a}, not ${b}`);
}

/** The tree of so many parts, two on each. */
function makeTree(count) {
  return inTemporaryFolder((folder) => {
    const lnk = JSON.parse(run(samples, 'dump', 'troll/troll.lnk').text);
    const [, link] = lnk.data.links;
    const links = [];
    const open = [0];
    while (open.length > 0) { // depth first, as the format wants it
      const i = open.pop();
      links.push({ ...link, child: `b${i}`, parent: i === 0 ? '' : `b${(i - 1) >> 1}` });
      for (const child of [2 * i + 2, 2 * i + 1]) if (child < count) open.push(child);
    }
    lnk.data.links = links;
    writeFileSync(join(folder, 'large.json'), JSON.stringify(lnk));
    const built = run(folder, 'build', 'large.json', '-o', 'large.lnk');
    if (built.status !== 0) throw new Error(built.complaints.join('\n'));
    return readFileSync(join(folder, 'large.lnk'));
  });
}

test('how long a pose of 300 bones takes (printed, not judged)', (context) => {
  const own = ossa.workspace();
  const part = files.bytes('troll/walk/hd.anm');
  own.add('large/large.lnk', makeTree(300));
  for (let i = 0; i < 300; i++) {
    own.add(`large/walk/b${i}.anm`, part);
    own.add(`large/bon/b${i}.bon`, files.bytes('troll/bon/hd.bon'));
  }
  const scene = own.scene(['large']);
  assert.equal(scene.bones.length, 300);
  const pose = scene.pose();
  const measure = (rounds) => {
    const started = performance.now();
    for (let i = 0; i < rounds; i++) pose.sample(0, i * 0.00731, 'loop');
    return (performance.now() - started) / rounds;
  };
  measure(2000);
  const best = Math.min(...Array.from({ length: 10 }, () => measure(200)));
  context.diagnostic(`sample() of 300 bones, matrices included: ${(1000 * best).toFixed(1)} us`);
  pose.free();
  scene.free();
  own.free();
});
