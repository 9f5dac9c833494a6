// SPDX-License-Identifier: MIT
//
// GLB files that the page refuses before it reads them, and one that it takes.

import assert from 'node:assert/strict';
import test from 'node:test';

import { checkGlb } from '../../../web/page/compare/glb_check.js';

/** @param {any} json @param {(view: DataView) => void} [change] @returns {ArrayBuffer} */
function glb(json, change = () => {}) {
  const text = new TextEncoder().encode(typeof json === 'string' ? json : JSON.stringify(json));
  const bytes = new Uint8Array(20 + text.length);
  const view = new DataView(bytes.buffer);
  [0x46546c67, 2, bytes.length, text.length, 0x4e4f534a].forEach((word, i) => view.setUint32(i * 4, word, true));
  bytes.set(text, 20);
  change(view);
  return bytes.buffer;
}

const good = { asset: { version: '2.0' }, scenes: [{ nodes: [0] }], nodes: [{ children: [1] }, {}] };
const refused = (more, message, change) =>
  assert.throws(() => checkGlb(glb(typeof more === 'string' ? more : { ...good, ...more }, change)), message);

test('a good one', () => {
  assert.deepEqual(checkGlb(glb(good)), good);
  checkGlb(glb({ ...good, images: [{ uri: 'data:image/png;base64,AAAA' }, { bufferView: 0 }], buffers: [{ byteLength: 4 }] }));
});

test('not a GLB, another version, cut off', () => {
  assert.throws(() => checkGlb(new ArrayBuffer(0)), /not a GLB/);
  refused({}, /not a GLB/, (view) => view.setUint32(0, 0x46546c68, true));
  refused({}, /GLB 1 is not supported/, (view) => view.setUint32(4, 1, true));
  refused({}, /it ends after/, (view) => view.setUint32(8, 0xffffffff, true));
  refused({}, /header is damaged/, (view) => view.setUint32(12, 0xffffffff, true));
  refused('{', /JSON is damaged/);
  refused('null', /JSON is damaged/);
  refused({ asset: { version: '1.0' } }, /glTF 1.0 is not supported/);
  refused({ asset: 1 }, /without a version/);
});

test('other files are not fetched', () => {
  for (const uri of ['https://example.org/a.bin', 'a.bin', 'data:application/octet-stream;base64,AAAA'])
    refused({ buffers: [{ uri }] }, /another file/);
  for (const uri of ['https://example.org/a.png', 'a.png', 'blob:x']) refused({ images: [{ uri }] }, /another file/);
  refused({ extensionsRequired: ['KHR_draco_mesh_compression'] }, /compressed/);
});

test('trees that are none', () => {
  refused({ scenes: [] }, /no scene/);
  refused({ nodes: [{ children: [0] }] }, /scene is damaged/);
  refused({ nodes: [{}, { children: [2] }, { children: [1] }] }, /circle/);
  refused({ nodes: [{ children: [1, 1] }, {}] }, /tree/);
  refused({ nodes: [{ children: [7] }] }, /tree/);
  refused({ nodes: [{ children: 1 }] }, /children/);
  refused({ nodes: [null] }, /nodes/);
  refused({ nodes: Array.from({ length: 600 }, (_, i) => (i < 599 ? { children: [i + 1] } : {})) }, /too deep/);
  refused({ nodes: Array.from({ length: 20_001 }, () => ({})) }, /20001 nodes/);
});

test('what is not in the file', () => {
  const view = { byteLength: 24, byteOffset: 4 };
  const accessor = { count: 2, type: 'VEC3', componentType: 5126, bufferView: 0 };
  const of = (bufferView, used, more = {}) => ({ bufferViews: [bufferView], accessors: [used], ...more });
  const mesh = (primitive) => of(view, accessor, { meshes: [{ primitives: [primitive] }] });
  checkGlb(glb({ ...good, ...of(view, accessor) }));
  checkGlb(glb({ ...good, ...mesh({ attributes: { POSITION: 0 } }) }));
  refused(of({ byteLength: 1e9 }, accessor), /buffer view/);
  refused(of({ byteLength: 24, byteOffset: -4 }, accessor), /buffer view/);
  for (const wrong of [{ count: 3 }, { byteOffset: 4 }, { byteOffset: 0.5 }, { componentType: 5130 }, { bufferView: 1 }, { sparse: { count: 3 } }])
    refused(of(view, { ...accessor, ...wrong }), /accessor/);
  refused(of({ ...view, byteStride: 16 }, accessor), /accessor/);
  for (const wrong of [{ attributes: { POSITION: 1 } }, { attributes: { POSITION: 0 }, mode: 8 }, { attributes: { POSITION: 0 }, indices: 4 }, { attributes: { POSITION: 0 }, indices: 0 }, { attributes: { POSITION: 0 }, targets: [{ POSITION: 2 }] }])
    refused(mesh(wrong), /mesh is damaged/);
});

test('keys that do not fit their times', () => {
  const animated = (times, values, more = {}, path = 'rotation') => ({
    bufferViews: [{ byteLength: 0 }, { byteLength: 200, byteOffset: 20 }],
    accessors: [
      { count: times, type: 'SCALAR', componentType: 5121, bufferView: 1 },
      { count: values, type: 'VEC4', componentType: 5121, bufferView: 1, ...more },
    ],
    animations: [{ channels: [{ sampler: 0, target: { path } }], samplers: [{ input: 0, output: 1 }] }],
  });
  const weights = (times, values) => animated(times, values, { type: 'SCALAR' }, 'weights');
  checkGlb(glb({ ...good, ...animated(24, 24) }));
  checkGlb(glb({ ...good, ...weights(24, 72) }));
  for (const wrong of [animated(24, 44), animated(0, 0), animated(24, 24, { type: 'VEC3' }), weights(24, 44)])
    refused(wrong, /animation is damaged/);
  refused({ animations: [{ channels: [{ sampler: 3 }] }] }, /animation is damaged/);
});

test('small files that ask for much memory', () => {
  const huge = { count: 50_000_000, type: 'VEC3', componentType: 5126 };
  refused({ accessors: [huge] }, /too much memory/);
  refused({ accessors: [{ count: -1, type: 'VEC3' }] }, /accessor/);
  refused({ accessors: [{ count: 1, type: 'VEC9' }] }, /accessor/);
  refused({ accessors: [{ ...huge, bufferView: 0 }], bufferViews: [{ byteLength: 40 }] }, /accessor/); // it is not in the file
  const used = { accessors: [{ count: 10_000, type: 'VEC3', bufferView: 0 }] };
  const targets = Array.from({ length: 3000 }, () => ({ POSITION: 0 }));
  refused({ ...used, meshes: [{ primitives: [{ targets }] }] }, /too much memory/);
  const channels = Array.from({ length: 3000 }, () => ({ sampler: 0 }));
  refused({ ...used, animations: [{ channels, samplers: [{ input: 0, output: 0 }] }] }, /too much memory/);
});
