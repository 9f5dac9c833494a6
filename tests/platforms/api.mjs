// SPDX-License-Identifier: MIT
// What the module for browsers makes of each input, in the form of hashes.c; run.sh compares it.
// Usage: node api.mjs FOLDER <INPUTS, where FOLDER has ossa.js and ossa.wasm.
// It does not build files and writes no BVH or CSV; facts, fields and issues are structured
// differently. In place of these it prints KIND:none.
import { createHash } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { argv, stdout } from 'node:process';
import { pathToFileURL } from 'node:url';

const { load, OssaError } = await import(pathToFileURL(resolve(argv[2], 'ossa.js')));
const ossa = await load();
const workspace = ossa.workspace();
const inputs = readFileSync(0, 'utf8').trim().split(/\r?\n/);
const isFile = (path) => statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
const hashOf = (...parts) => {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest('hex').slice(0, 16);
};

// null if it cannot be had. Errors have other texts than in C.
function attempt(make) {
  try {
    return make();
  } catch (error) {
    if (error instanceof OssaError) return null;
    throw error;
  }
}

function print(kind, make) {
  const made = attempt(make);
  return `${kind}:${made === null ? 'none' : hashOf(made)}`;
}

function hashFile(path) {
  const file = attempt(() => workspace.open(path));
  const outputs = ['read:none'];
  if (file?.format.can.includes('dump')) outputs.push(print('dump', () => file.dump()), 'build:none');
  file?.free();
  return outputs;
}

function hashPoses(scene) {
  const pose = scene.pose();
  const parts = [];
  for (const clip of scene.clips.keys()) {
    for (let i = 0; i < 9; i++) {
      pose.sample(clip, 0.13 * i, 'loop');
      for (const floats of [pose.locals.slice(), pose.matrices.slice()]) parts.push(new Uint8Array(floats.buffer));
    }
  }
  pose.free();
  return hashOf(...parts);
}

function hashScene(words) {
  const scene = attempt(() => workspace.scene(words));
  const outputs = ['scene:none'];
  if (scene !== null) {
    outputs.push(`pose:${hashPoses(scene)}`, print('glb', () => scene.glb()), print('json', () => scene.json()));
    outputs.push('csv:none', 'bvh:none');
    scene.free();
  }
  return outputs;
}

for (const path of inputs.filter(isFile)) workspace.add(path, readFileSync(path));
for (const input of inputs) {
  const outputs = isFile(input) ? hashFile(input) : [];
  stdout.write(`${[input, ...outputs, ...hashScene(input.split(' '))].join(' ')}\n`);
}
