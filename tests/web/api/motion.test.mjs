// SPDX-License-Identifier: MIT
//
// A clip as plain data: its keys are the frames that the module samples, and it holds no more than
// the scene does.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';

import { samples, sampleWorkspace, start } from './support.mjs';

const ossa = await start();
const files = sampleWorkspace(ossa);

/** The frame of a motion in the layout of Pose.locals, and which bones are visible. */
function frameOf(motion, frame) {
  const locals = motion.constant.slice();
  const visible = motion.constantVisible.slice();
  const put = ({ of, width, keys }, out, stride, at) => of.forEach((bone, track) => {
    const first = (frame * of.length + track) * width;
    out.set(keys.subarray(first, first + width), stride * bone + at);
  });
  put(motion.translations, locals, 10, 0);
  put(motion.rotations, locals, 10, 3);
  put(motion.scales, locals, 10, 7);
  put(motion.visibilities, visible, 1, 0);
  return { locals, visible };
}

function bytesOf(value) {
  if (ArrayBuffer.isView(value)) return value.byteLength;
  return value !== null && typeof value === 'object'
    ? Object.values(value).reduce((sum, part) => sum + bytesOf(part), 0) : 0;
}

const words = ['troll', 'wyvern', 'rabbit', 'bird', 'pedestrian'];

test('a motion has the frames of its clip, bit for bit', () => {
  for (const word of words) {
    const scene = files.scene([word]);
    const pose = scene.pose();
    for (const [clip, { frameCount, fps }] of scene.clips.entries()) {
      const motion = scene.motion(clip);
      assert.deepEqual([motion.frameCount, motion.fps], [frameCount, fps]);
      for (let frame = 0; frame < frameCount; frame++) {
        const { locals, visible } = frameOf(motion, frame);
        pose.sampleFrame(clip, frame);
        assert.deepEqual(locals, pose.locals.slice(), `${word} ${clip} ${frame}`);
        assert.deepEqual(visible, pose.visible.slice());
      }
      const steps = scene.bones.map((bone, i) => scene.rotationStep(clip, i) ?? -1);
      assert.deepEqual([...motion.rotationSteps ?? steps.map(() => 0)], steps);
    }
    pose.free();
    scene.free();
  }
});

test('the targets of a motion are the morph weights of its frames', () => {
  const scene = files.scene(['wyvern']);
  const pose = scene.pose();
  let seen = 0;
  for (const [clip, { frameCount }] of scene.clips.entries()) {
    const { of, keys } = scene.motion(clip).morphs;
    for (const [mesh, { targetCount }] of scene.meshes.entries()) {
      const track = of.indexOf(mesh);
      for (let frame = 0; frame < frameCount; frame++) {
        const weights = new Float32Array(targetCount);
        const target = track < 0 ? -1 : keys[frame * of.length + track];
        if (target >= 0) weights[target] = 1;
        seen += Number(target >= 0);
        pose.sampleFrame(clip, frame);
        assert.deepEqual(pose.morphWeights(mesh), weights);
      }
    }
  }
  assert.ok(seen > 10);
  pose.free();
  scene.free();
});

// A place on the ground is x, z and the half of an angle, as sine and cosine.
/** @param {number[]} a @param {number[]} b */
function times([ax, az, as, ac], [bx, bz, bs, bc]) {
  const [sine, cosine] = [2 * as * ac, ac * ac - as * as];
  return [ax + cosine * bx + sine * bz, az + cosine * bz - sine * bx,
    as * bc + ac * bs, ac * bc - as * bs];
}

/** @param {number[]} place */
function inverse([x, z, sine, cosine]) {
  const [a, b] = times([0, 0, -sine, cosine], [-x, -z, 0, 1]);
  return [a, b, -sine, cosine];
}

test('the ground of a frame is what staying in place removes', () => {
  const moving = new Set();
  for (const word of words) {
    const scene = files.scene([word]);
    const pose = scene.pose();
    for (const [clip, { frameCount }] of scene.clips.entries()) {
      const { ground } = scene.motion(clip);
      if (ground.stride > 0) moving.add(word);
      assert.equal(ground.keys.length, ground.stride === 0 ? 4 : 4 * frameCount);
      for (let frame = 0; frame < frameCount; frame++) {
        const place = [...ground.keys.subarray(frame * ground.stride, frame * ground.stride + 4)];
        pose.sampleFrame(clip, frame);
        const [x, y, z] = pose.locals;
        assert.deepEqual(place.slice(0, 2), [x, z]);
        pose.stayInPlace();
        const [p, q, r] = pose.locals;
        const back = times(place, [p, r, 0, 1]);
        assert.ok(Math.hypot(back[0] - x, q - y, back[1] - z) < 1e-5, `${word} ${clip} ${frame}`);
        assert.ok(Math.abs(place[2] * place[2] + place[3] * place[3] - 1) < 1e-6);
      }
    }
    pose.free();
    scene.free();
  }
  assert.ok(moving.has('pedestrian') && moving.has('rabbit'));
});

test('a cycle goes on from the last frame as the clip does', () => {
  const scene = files.scene(['pedestrian']);
  const clip = scene.clips.findIndex(({ name }) => name === 'walk');
  const { ground: { keys, stride, cycle }, frameCount, fps } = scene.motion(clip);
  const at = (frame) => [...keys.subarray(frame * stride, frame * stride + 4)];
  // Frame 0 of the next repetition is one step after the last frame of this one.
  const next = times(times(at(0), [...cycle]), times(inverse(at(0)), at(0)));
  const last = at(frameCount - 1);
  const step = Math.hypot(next[0] - last[0], next[1] - last[1]);
  const first = Math.hypot(at(1)[0] - at(0)[0], at(1)[1] - at(0)[1]);
  assert.ok(step > 0.3 * first && step < 3 * first, `${step} after ${first} at ${fps}`);
  scene.free();
});

test('what never changes is not repeated', () => {
  const scene = files.scene(['troll']);
  for (const [clip, { frameCount }] of scene.clips.entries()) {
    const motion = scene.motion(clip);
    assert.ok(motion.rotations.of.length > 0);
    assert.equal(motion.scales.of.length, 0);
    const tracks = 4 * motion.rotations.of.length + 3 * motion.translations.of.length;
    assert.ok(bytesOf(motion) <= 4 * frameCount * (tracks + 4 + 2) + 60 * scene.bones.length + 64);
  }
  scene.free();
});

test('no array of a motion is a view of the module', () => {
  const scene = files.scene(['wyvern']);
  const motion = scene.motion(0);
  const before = structuredClone(motion);
  scene.free();
  assert.deepEqual(motion, before);
  assert.throws(() => scene.motion(0), /freed/);
});

test('the keys of a camera are where it is at their times', () => {
  const scene = files.scene(['troll', 'more/flight.cam']);
  const pose = scene.pose();
  const { times: seconds, translations, rotations, fieldsOfView } = scene.cameraKeys(0);
  assert.equal(seconds.length, scene.cameras[0].keyCount);
  assert.equal(seconds.at(-1), scene.cameras[0].duration);
  for (const [key, time] of seconds.entries()) {
    const { translation, rotation, fieldOfView } = pose.camera(0, time);
    assert.deepEqual(translations.slice(3 * key, 3 * key + 3), translation);
    assert.deepEqual(rotations.slice(4 * key, 4 * key + 4), rotation);
    assert.equal(fieldsOfView[key], fieldOfView);
  }
  assert.throws(() => scene.cameraKeys(1), RangeError);
  assert.throws(() => scene.motion(scene.clips.length), RangeError);
  pose.free();
  scene.free();
  assert.throws(() => scene.cameraKeys(0), /freed/);
});

test('a clip says which one follows it', () => {
  const scene = files.scene(['pedestrian', 'more/ped.csv']);
  const next = Object.fromEntries(scene.clips.map((clip) =>
    [clip.name, scene.clips[clip.next]?.name]));
  assert.deepEqual(next, { STAND: 'STAND', STAND_WALK: 'WALK', WALK: 'WALK', WALK_STAND: 'STAND',
    RUN: 'RUN', BACKUP: 'BACKUP' });
  scene.free();
  const plain = files.scene(['pedestrian']);
  assert.ok(plain.clips.every(({ next: index }) => index === -1));
  plain.free();
});

test('a clip has the events of its record', () => {
  const own = sampleWorkspace(ossa);
  const adb = new Uint8Array(readFileSync(join(samples, 'wyvern/wyvern.adb')));
  const record = new DataView(adb.buffer, adb.byteOffset + 44); // the first one, of "fly"
  record.setUint32(48, 20, true);
  record.setUint32(52, 8, true);
  record.setUint32(64, 24, true);
  own.add('wyvern/wyvern.adb', adb);
  const scene = own.scene(['wyvern']);
  const [fly, rest] = ['fly', 'rest'].map((name) => scene.clips.find((clip) => clip.name === name));
  assert.equal(fly.frameCount, 24);
  assert.deepEqual(fly.events, [
    { frame: 8, kind: 'step', field: 'step_sounds[1]' },
    { frame: 20, kind: 'step', field: 'step_sounds[0]' },
    { frame: 23, kind: 'hit', field: 'hit_frame' }]);
  assert.deepEqual(rest.events, []);
  scene.free();
  own.free();
});
