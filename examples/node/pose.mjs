// SPDX-License-Identifier: MIT
//
// Where the bones of a character are, from its files: in Node, without installing anything.
//
//     node examples/node/pose.mjs samples/troll 0.5
//
// prints the name and the place of every bone, half a second into the first clip.

import { readdir, readFile, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';

import { load, OssaError } from '../../web/api/ossa.js';

/** Put a file, or all files of a folder, into the workspace. */
async function addAll(files, path, name) {
  if (!(await stat(path)).isDirectory()) {
    files.add(name, await readFile(path));
    return;
  }
  for (const entry of await readdir(path)) await addAll(files, join(path, entry), `${name}/${entry}`);
}

const [path, seconds = '0'] = process.argv.slice(2);
const wasm = process.env.OSSA_WASM ?? new URL('../../build/web/ossa.wasm', import.meta.url);
const ossa = await load(typeof wasm === 'string' ? await readFile(wasm) : wasm);
const files = ossa.workspace();
const name = basename(path);
await addAll(files, path, name);

try {
  const scene = files.scene([name]); // what `ossa convert` would put together
  const pose = scene.pose();
  pose.sample(scene.clips.length > 0 ? 0 : -1, Number(seconds), 'loop');
  console.log(`${scene.game}: ${scene.bones.length} bones, clip ${scene.clips[0]?.name ?? 'none'}`);
  for (const [i, bone] of scene.bones.entries()) {
    const place = pose.matrices.subarray(16 * i + 12, 16 * i + 15); // the last column
    console.log(`${bone.name.padEnd(12)} ${[...place].map((n) => n.toFixed(3)).join(' ')}`);
  }
  pose.free();
  scene.free();
} catch (error) {
  if (!(error instanceof OssaError)) throw error;
  for (const line of error.messages) console.error(line);
  process.exitCode = 1;
}
files.free();
