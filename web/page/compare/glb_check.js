// SPDX-License-Identifier: MIT
//
// What is refused of a GLB before it is read: other files that it needs, damage, and numbers that
// would stop the page. Pure.

export const MOST_BYTES = 128 * 2 ** 20;
const MOST_NODES = 20_000;
const DEEPEST = 500;
const MOST_NUMBERS = 64_000_000; // that are made of what the file contains
const COMPONENTS = { SCALAR: 1, VEC2: 2, VEC3: 3, VEC4: 4, MAT2: 4, MAT3: 9, MAT4: 16 };
const BYTES = { 5120: 1, 5121: 1, 5122: 2, 5123: 2, 5125: 4, 5126: 4 }; // of a component
const INDICES = { type: 'SCALAR', componentType: 5125 };
const TYPES = { translation: 'VEC3', rotation: 'VEC4', scale: 'VEC3', weights: 'SCALAR' };
const JSON_CHUNK = 0x4e4f534a;
const MAGIC = 0x46546c67;

/** Whether a file begins like a GLB. @param {Blob} blob */
export async function isGlb(blob) {
  const start = await blob.slice(0, 4).arrayBuffer();
  return start.byteLength === 4 && new DataView(start).getUint32(0, true) === MAGIC;
}

/**
 * @param {ArrayBuffer} buffer
 * @returns {any} the JSON in it. Throws an error for people.
 */
export function checkGlb(buffer) {
  const json = readJson(buffer);
  const version = String(json.asset?.version ?? '');
  if (!version.startsWith('2')) throw new Error(`glTF ${version || 'without a version'} is not supported, only 2`);
  checkAddresses(json);
  checkExtensions(json);
  checkNodes(listOf(json, 'nodes'), listOf(json, 'scenes'));
  checkNumbers(json);
  checkBytes(json, buffer.byteLength);
  checkAnimations(json);
  return json;
}

function readJson(buffer) {
  const view = new DataView(buffer);
  if (buffer.byteLength < 20 || view.getUint32(0, true) !== MAGIC) throw new Error('this is not a GLB');
  if (view.getUint32(4, true) !== 2) throw new Error(`GLB ${view.getUint32(4, true)} is not supported, only 2`);
  const size = view.getUint32(8, true);
  if (size > buffer.byteLength) throw new Error(`it ends after ${buffer.byteLength} of ${size} bytes`);
  const length = view.getUint32(12, true);
  if (view.getUint32(16, true) !== JSON_CHUNK || 20 + length > size) throw new Error('its header is damaged');
  let json;
  try {
    json = JSON.parse(new TextDecoder().decode(new Uint8Array(buffer, 20, length)));
  } catch (error) {
    throw new Error(`its JSON is damaged: ${error.message}`);
  }
  if (json === null || typeof json !== 'object') throw new Error('its JSON is damaged: it is not an object');
  return json;
}

/** @returns {any[]} */
function listOf(object, key) {
  const list = object[key] ?? [];
  if (!Array.isArray(list) || list.some((item) => item === null || item === undefined))
    throw new Error(`its JSON is damaged: ${key}`);
  return list;
}

function checkAddresses(json) {
  for (const key of ['buffers', 'images'])
    for (const { uri } of listOf(json, key)) {
      if (uri === undefined || (key === 'images' && /^data:/i.test(uri))) continue;
      const name = String(uri).slice(0, 80);
      throw new Error(`it needs another file, ${name}: save it with everything inside`);
    }
}

function checkExtensions(json) {
  const refused = /draco|meshopt|basisu/i;
  const found = listOf(json, 'extensionsRequired').find((name) => refused.test(name));
  if (found) throw new Error(`it is compressed (${found}): save it without compression`);
}

function checkNodes(nodes, scenes) {
  if (scenes.length === 0) throw new Error('there is no scene in it');
  if (nodes.length > MOST_NODES) throw new Error(`it has ${nodes.length} nodes; the most are ${MOST_NODES}`);
  const parents = new Map();
  nodes.forEach((node, index) => {
    for (const child of listOf(node, 'children')) {
      if (!nodes[child] || parents.has(child)) throw new Error(`the tree of its nodes is damaged: node ${child}`);
      parents.set(child, index);
    }
  });
  const isRoot = (index) => nodes[index] !== undefined && !parents.has(index);
  if (!scenes.every((scene) => listOf(scene, 'nodes').every(isRoot))) throw new Error('its scene is damaged');
  for (const index of nodes.keys()) {
    let depth = 0;
    for (let at = index; at !== undefined; at = parents.get(at))
      if (++depth > DEEPEST) throw new Error('the tree of its nodes is too deep, or a circle');
  }
}

// What an accessor or a primitive means must be there.
function checkBytes(json, size) {
  const isWhole = (number) => Number.isInteger(number) && number >= 0;
  const views = listOf(json, 'bufferViews').map(({ byteLength, byteOffset = 0, byteStride = 0 }) => {
    if (![byteLength, byteOffset, byteStride].every(isWhole) || byteOffset + byteLength > size || byteStride > 252)
      throw new Error('a buffer view is damaged');
    return { byteLength, byteStride };
  });
  const accessors = listOf(json, 'accessors');
  for (const { bufferView, byteOffset = 0, componentType, type, count, sparse } of accessors) {
    const bytes = BYTES[componentType] * COMPONENTS[type];
    const view = bufferView === undefined ? { byteLength: Infinity, byteStride: 0 } : views[bufferView];
    const end = byteOffset + Math.max(0, count - 1) * (view?.byteStride || bytes) + bytes;
    if (!view || !isWhole(byteOffset) || !(end <= view.byteLength)) throw new Error('an accessor is damaged');
    if (sparse && !(sparse.count <= count)) throw new Error('an accessor is damaged');
  }
  for (const mesh of listOf(json, 'meshes'))
    for (const { mode = 4, attributes = {}, indices, targets = [] } of listOf(mesh, 'primitives')) {
      const used = [attributes, ...targets].flatMap((of) => Object.values(of));
      const { type, componentType } = indices === undefined ? INDICES : (accessors[indices] ?? {});
      const hasIndices = type === 'SCALAR' && [5121, 5123, 5125].includes(componentType);
      if (!(mode >= 0 && mode <= 6) || !hasIndices || !used.every((index) => accessors[index]))
        throw new Error('a mesh is damaged');
    }
}

// Keys and values that do not fit together would never end.
function checkAnimations(json) {
  const accessors = listOf(json, 'accessors');
  for (const animation of listOf(json, 'animations'))
    for (const { sampler, target } of listOf(animation, 'channels')) {
      const { input, output, interpolation } = listOf(animation, 'samplers')[sampler] ?? {};
      const [times, values] = [accessors[input], accessors[output]];
      const each = (times?.count ?? 0) * (interpolation === 'CUBICSPLINE' ? 3 : 1);
      const isWeights = target?.path === 'weights';
      const fits = isWeights ? values?.count % each === 0 : values?.count === each;
      if (each === 0 || !fits || times.type !== 'SCALAR' || (TYPES[target?.path] ?? values.type) !== values.type)
        throw new Error(`an animation is damaged: ${String(animation.name ?? '').slice(0, 80)}`);
    }
}

// A small file may ask for a lot of memory: numbers that are all zero, or used again and again.
function checkNumbers(json) {
  const sizes = listOf(json, 'accessors').map(({ count, type }) => {
    if (!Number.isInteger(count) || count < 0 || !COMPONENTS[type]) throw new Error('an accessor is damaged');
    return count * COMPONENTS[type];
  });
  const size = (index) => sizes[index] ?? 0;
  let numbers = 0;
  const add = (more) => {
    numbers += more;
    if (numbers > MOST_NUMBERS) throw new Error('it asks for too much memory');
  };
  listOf(json, 'accessors').forEach(({ bufferView, sparse }, index) => {
    if (bufferView === undefined || sparse) add(size(index));
  });
  const meshes = listOf(json, 'meshes').map((mesh) => {
    const primitives = listOf(mesh, 'primitives');
    for (const primitive of primitives)
      for (const target of listOf(primitive, 'targets'))
        for (const index of Object.values(target)) add(size(index));
    return primitives.length;
  });
  for (const { mesh } of listOf(json, 'nodes')) add((meshes[mesh] ?? 0) * 100);
  for (const skin of listOf(json, 'skins')) add(listOf(skin, 'joints').length * 16);
  for (const animation of listOf(json, 'animations')) {
    const samplers = listOf(animation, 'samplers');
    for (const { sampler } of listOf(animation, 'channels'))
      add(size(samplers[sampler]?.input) + size(samplers[sampler]?.output));
  }
}
